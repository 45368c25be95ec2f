export const log = {
  'webhook.changed': ['Changed webhook {0}', '已變更 Webhook {0}'],
  'webhook.created': ['Created webhook {0}', '已建立 Webhook {0}'],
  'webhook.deleted': ['Deleted webhook {0}', '已刪除 Webhook {0}'],
  'webhook.resumed': ['Resumed webhook {0}', '已恢復 Webhook {0}'],
  'webhook.secret_rotated': ['Rotated the secret of webhook {0}', '已更換 Webhook {0} 的金鑰'],
  'webhook.sent_again': ['Sent an event of webhook {0} again', '已重新傳送 Webhook {0} 的事件'],
  'webhook.suspended': ['Suspended webhook {0}', '已暫停 Webhook {0}'],
  'webhook.suspended_itself': [
    'Suspended webhook {0}: every call has failed for {1} days',
    '已暫停 Webhook {0}：呼叫已連續失敗 {1} 天',
  ],
  'webhook.tested': ['Tested webhook {0}', '已測試 Webhook {0}'],
} as const;
