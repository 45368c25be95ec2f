import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'webhook.key_missing': '請輸入接收端所核發的金鑰。',
  'webhook.has_no_secret': '此 Webhook 沒有簽章金鑰：接收端以其核發的金鑰識別它。請改為輸入新的金鑰。',
  'webhook.only_alerts': 'PagerDuty 與 Opsgenie 只接受警報，請移除其他事件。',
  'webhook.not_found': '此 Webhook 不存在。',
  'webhook.too_many': '最多可有 20 個 Webhook，請先刪除一個。',
  'webhook.url_invalid': '無法將 Webhook 傳送至此網址，請使用網際網路上的 https 網址。',
  'webhook.groups_of_main': '主帳號的 Webhook 可依標籤篩選，但不能依群組篩選。',
  'webhook.suspended': '此 Webhook 已暫停。',
  'webhook.not_suspended': '此 Webhook 未暫停。',
  'webhook.delivery_not_found': '此事件已不在 Webhook 的紀錄中。',
  'webhook.delivery_waiting': '此事件已在等待傳送。',
};
