export const log = {
  'alert.acknowledged': ['Acknowledged alert {0} of {1}', '已確認 {1} 的警報 {0}'],
  'alert_rule.added': ['Added alert rule {0}', '已新增警報規則 {0}'],
  'alert_rule.changed': ['Changed alert rule {0}', '已變更警報規則 {0}'],
  'alert_rule.deleted': ['Deleted alert rule {0}', '已刪除警報規則 {0}'],
  'alerts.acknowledged': ['Acknowledged {0} alerts', '已確認 {0} 則警報'],
} as const;
