export const summaries = {
  'webhooks.create': '建立 Webhook。簽章金鑰只在此回應中顯示一次。API 金鑰另須具備讀取所選事件的呼叫，例如 devices.list。',
  'webhooks.delete': '刪除 Webhook 及其紀錄，且不再傳送任何內容。',
  'webhooks.deliveries': 'Webhook 的紀錄，最新的事件在前。',
  'webhooks.delivery': '紀錄中的單一事件，包括其內容與每次回應。',
  'webhooks.events': 'Webhook 可傳送的所有事件，並附上 `data` 的範例。',
  'webhooks.list': '組織的 Webhook，或主帳號與其組織的 Webhook，最新的在前。',
  'webhooks.resend': '重新傳送事件，沿用原本的 webhook-id。',
  'webhooks.resume': '恢復已暫停的 Webhook：等待中的事件會立即傳送。',
  'webhooks.rotate': '更換簽章金鑰。在數小時內，每次呼叫會同時以新舊兩個金鑰簽章。',
  'webhooks.save': '取代 Webhook 的所有欄位；其金鑰與紀錄維持不變。接受 If-Match，其值為 Webhook 的 `version`。',
  'webhooks.show': '單一 Webhook。',
  'webhooks.suspend': '暫停 Webhook：事件仍會記錄並等待傳送。',
  'webhooks.test': '以 `webhook.test` 呼叫 Webhook 一次並回應結果；已暫停的 Webhook 也可測試。',
};

export const areas = { webhooks: 'Webhook' };
