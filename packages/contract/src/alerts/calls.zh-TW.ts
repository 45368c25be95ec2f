export const summaries = {
  'alerts.acknowledge': '確認警報並加上備註。若含有權限範圍外的 ID，呼叫會回應 404；不在觸發中的警報維持不變。',
  'alerts.addRule': '新增警報規則。',
  'alerts.count': '各嚴重程度有多少則警報正在觸發且尚未確認。',
  'alerts.deleteRule': '刪除警報規則，並解除其尚未解除的警報。',
  'alerts.export': '將警報清單匯出為 CSV 或 Excel 活頁簿（Alerts_export），篩選條件相同。',
  'alerts.list': '警報，最新的在前。',
  'alerts.replay':
    '在儲存之前，以已儲存的連線、量測值、位置與進出地理圍欄的紀錄，試算規則在過去 7 天會觸發幾次。其他條件沒有歷史資料，會回應 `replayed: false`。',
  'alerts.rules': '組織的警報規則，依名稱排序。',
  'alerts.saveRule': '儲存整條警報規則。變更條件或監看對象，會解除其尚未解除的警報。接受 If-Match，其值為所依據的 `version`。',
};

export const areas = { alerts: '警報' };
