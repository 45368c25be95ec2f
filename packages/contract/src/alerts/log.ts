export const log = {
  'alert_browser.removed': ['Ended the push messages of a browser of {0}', '已結束 {0} 的一個瀏覽器的推播訊息'],
  'alert_browser.tested': ['Sent a test to the browsers of {0}', '已傳送測試到 {0} 的瀏覽器'],
  'alert_person.changed': ['Changed which alerts {0} gets', '已變更 {0} 會收到的警報'],
  'alert_person.ended': ['Ended the alerts of {0}', '已結束 {0} 的警報'],
  'alert_rule.acted': ['Alert rule {0} acted on {1} devices', '警報規則 {0} 已對 {1} 台裝置執行動作'],
  'alert_rule.not_allowed': [
    'Alert rule {0} did not act on {1} devices: the user who saved it may not do this any more',
    '警報規則 {0} 未對 {1} 台裝置執行動作：儲存該規則的使用者已無此權限',
  ],
  'alert.acknowledged': ['Acknowledged alert {0} of {1}', '已確認 {1} 的警報 {0}'],
  'alert_rule.added': ['Added alert rule {0}', '已新增警報規則 {0}'],
  'alert_rule.changed': ['Changed alert rule {0}', '已變更警報規則 {0}'],
  'alert_rule.deleted': ['Deleted alert rule {0}', '已刪除警報規則 {0}'],
  'alerts.acknowledged': ['Acknowledged {0} alerts', '已確認 {0} 則警報'],
} as const;
