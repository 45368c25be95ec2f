export const summaries = {
  'networks.read': '裝置的對外連線、Wi-Fi 或用戶端：路由器連線時即時讀取（最多每 4 秒一次），否則為上次回報的內容。',
  'networks.repair': '若原因仍然存在，開啟路由器上造成 Wi-Fi 無法使用的設定。',
  'networks.clientUse': '裝置的用戶端每日用量，以及各用戶端在某日的用量，來自路由器的計數；須由組織選擇保留。',
  'networks.exportClientUse': '裝置的每個用戶端在保留期間內的每日用量，匯出為 CSV 或 Excel 活頁簿。',
  'networks.clientSettings': '組織保留哪些車輛用戶端的資料。',
  'networks.saveClientSettings': '變更用戶端資料的保留方式；不再保留的資料會立即刪除。可用 If-Match 帶入其 `version`。',
};

export const areas = { networks: '網路' };
