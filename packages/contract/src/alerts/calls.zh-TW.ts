export const summaries = {
  'alertPeople.addBrowser': '將呼叫者的警報以推播訊息傳送到此瀏覽器；尚未選擇嚴重程度者會收到嚴重警報。API 金鑰不可使用。',
  'alertPeople.delete': '結束這些地址的警報；列有它們的規則仍會通知。一般使用者可結束自己的警報。',
  'alertPeople.list': '通知對象：組織的人員，以及規則、警報、通知與定期報表所列的其他地址，依地址排序。',
  'alertPeople.pushKey': '瀏覽器註冊推播訊息所用的公開金鑰（VAPID），呼叫者已註冊的瀏覽器及其數量，以及其中收不到訊息的數量。',
  'alertPeople.removeBrowser': '不再傳送任何訊息到呼叫者的此瀏覽器。',
  'alertPeople.save':
    '設定地址會收到哪些警報、在哪些時段、以何種方式；未選嚴重程度時，只收到列有它的規則的警報。一般使用者可設定自己的。可用 If-Match 帶入其所依據的 `version`。',
  'alertPeople.testPush': '傳送測試到呼叫者的瀏覽器，並回應瀏覽器的數量。',
  'alerts.acknowledge':
    '確認警報並加上備註；同時觸發的警報可用其共同的 ID 一次確認。若含有權限範圍外的 ID，呼叫會回應 404；不在觸發中的警報維持不變。',
  'alerts.actions': '組織的警報規則自動執行的動作、原本會執行的動作，以及未執行的動作與原因；最新的在前。',
  'alerts.addRule': '新增警報規則。',
  'alerts.count': '各嚴重程度有多少則警報正在觸發且尚未確認。',
  'alerts.deleteRule': '刪除警報規則，並解除其尚未解除的警報。',
  'alerts.export': '將警報清單匯出為 CSV 或 Excel 活頁簿（Alerts_export），篩選條件相同。',
  'alerts.exportActions': '將同一清單匯出為 CSV 或 Excel 活頁簿（Alert_actions_export），篩選條件相同。',
  'alerts.list': '警報，最新的在前。',
  'alerts.replay':
    '在儲存之前，以已儲存的連線、量測值、位置與進出地理圍欄的紀錄，試算規則在過去 7 天會觸發幾次。其他條件沒有歷史資料，會回應 `replayed: false`。',
  'alerts.rules': '組織的警報規則，依名稱排序。',
  'alerts.saveRule': '儲存整條警報規則。變更條件或監看對象，會解除其尚未解除的警報。接受 If-Match，其值為所依據的 `version`。',
};

export const areas = { alertPeople: '通知對象', alerts: '警報' };
