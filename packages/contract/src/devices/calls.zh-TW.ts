export const summaries = {
  'devices.add': '手動新增裝置：將庫存中的路由器加入組織，全部加入或全部不加入。',
  'devices.addBatch': '以庫存中的路由器建立同一型號的裝置，名稱為指定名稱加上號碼：全部建立或全部不建立。',
  'devices.attention': '目前需要處理的項目：每個數字都是以相同條件篩選之清單的總筆數。',
  'devices.delete': '封存裝置並釋出其路由器。若含有權限範圍外的 ID，呼叫會回應 404，且不刪除任何裝置。',
  'devices.export': '將裝置清單匯出為 CSV 或 Excel 活頁簿（Devices_export），篩選與排序方式相同。',
  'devices.exportChosen':
    '將指定的裝置匯出為 CSV 或 Excel 活頁簿（Devices_export），依序號排序。若含有權限範圍外的 ID，呼叫會回應 404。',
  'devices.get': '單一裝置及其頁面的內容；回應附有 ETag。',
  'devices.import':
    '以 CSV 或 Excel 活頁簿新增裝置（SN、MAC、開始日、到期日；選填 Group、Vehicle#、Notes、Tags）：正確的列會新增，有錯誤的列會列出。',
  'devices.lastQuery': '所有裝置（`device=all_devices`）或單一裝置最近的屬性。',
  'devices.list': '組織的裝置，或主帳號所有組織的裝置。',
  'devices.onlineShare': '線上裝置的數量：最近一天每五分鐘一筆，或最近一週每小時的平均值。',
  'devices.readings': '路由器在一段時間內的量測值，每個有量測的間隔一個點，以及路由器離線的時間。',
  'devices.replaceRouter': '以庫存中的路由器更換裝置的路由器：車輛、群組、標籤、訂閱、eSIM、綁定與歷史紀錄都保留在此裝置。',
  'devices.save': '變更裝置的車輛編號、備註、標籤與群組。支援 If-Match。',
  'devices.saveSubscription': '設定裝置訂閱的開始日與到期日（MM/DD/YYYY，UTC）。支援 If-Match。',
  'devices.saveCarrierColor': '變更圖表中電信業者的顏色，組織內所有人都會看到相同顏色。',
  'devices.statistics': '總覽的數字：線上、離線與即將到期的裝置、群組、操作紀錄，以及各電信業者的 SIM 卡數。',
  'devices.subscriptions': '呼叫者可檢視之每台裝置的訂閱狀態。',
  'devices.tags': '呼叫者可檢視之裝置的標籤，以及各標籤的裝置數量；列出最常使用的 1,000 個。',
  'devices.timeline': '裝置的歷史紀錄，最新的在前：連線、部署、使用者操作、路由器警示、警報、eSIM、遠端連線與地理圍欄。',
  'metrics.read':
    '供 Prometheus 使用的車隊指標，依組織列出：各狀態的裝置、長時間離線、訊號微弱、失敗的 SIM、訂閱、尚未解除的警報，以及本月的數據用量。',
};

export const areas = { devices: '裝置', metrics: 'Prometheus 指標' };
