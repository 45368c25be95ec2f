export const summaries = {
  'reports.count': '查詢會涵蓋多少筆紀錄，以及回應所用的時間間隔。',
  'reports.delete': '刪除呼叫者的一份已儲存報表。',
  'reports.devices': '裝置與其屬性，依名稱排序，供報表與分析的選單使用。`search` 會搜尋裝置名稱。',
  'reports.export': '將查詢到的紀錄匯出為 Excel 活頁簿或 CSV。',
  'reports.list': '呼叫者自己已儲存的報表，依名稱排序。',
  'reports.properties': '組織的路由器定期回報的數值：名稱、類型與單位。',
  'reports.records': '收集的紀錄，最新的在前。未指定 `limit` 時，以串流傳送全部紀錄。',
  'reports.save': '以指定的名稱儲存查詢；名稱相同時會取代原有的報表。每位使用者最多 100 份。',
};

export const areas = { reports: '報表' };
