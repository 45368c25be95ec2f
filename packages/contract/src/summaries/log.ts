export const log = {
  'summary.created': ['Created summary {0}', '已建立定期報表 {0}'],
  'summary.changed': ['Changed summary {0}', '已變更定期報表 {0}'],
  'summary.deleted': ['Deleted summary {0}', '已刪除定期報表 {0}'],
  'summary.requested': ['Sent summary {0} at once', '已立即寄送定期報表 {0}'],
  'summary.sent': ['Sent summary {0} to {1} recipients', '已將定期報表 {0} 寄給 {1} 位收件者'],
  'summary.failed': ['Could not send summary {0}', '無法寄送定期報表 {0}'],
  'summary.paused': [
    'Paused summaries to {0}: its mail server rejected three in a row',
    '已暫停寄送定期報表給 {0}：郵件伺服器連續拒收三次',
  ],
  'summary.resumed': ['Resumed summaries to {0}', '已恢復寄送定期報表給 {0}'],
  'summary.settings': ['Changed the settings of reports', '已變更定期報表設定'],
  'summary.logo': ['Changed the logo of reports', '已變更報表標誌'],
  'summary.no_logo': ['Removed the logo of reports', '已移除報表標誌'],
  'summary.unsubscribed': ['{0} no longer gets summary {1}', '{0} 不再收到定期報表 {1}'],
} as const;
