export const log = {
  'mail.sent_again': ['Sent an email to {0} again', '已重新寄送郵件給 {0}'],
  'mail.tested': ['Sent a test email to {0}', '已寄送測試郵件給 {0}'],
  'mails.sent_again': ['Sent {0} emails again', '已重新寄送 {0} 封郵件'],
  'notifications.changed': ['Changed the notifications of {0}', '已變更 {0} 的通知'],
  'notifications.ended': ['Ended the notifications of {0}', '已停止 {0} 的通知'],
  'notifications.many_ended': ['Ended {0} notifications', '已停止 {0} 個通知'],
} as const;
