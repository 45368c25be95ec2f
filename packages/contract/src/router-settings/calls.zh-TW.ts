export const summaries = {
  'settings.read': '組織、群組或裝置對路由器的設定值，以及所沿用的值；機密值一律不顯示。',
  'settings.save':
    '取代組織、群組或裝置對路由器的設定值。此呼叫不會傳送任何內容，傳送請使用 `commands.send` 或 `apply-settings` 工作。支援 If-Match。',
  'settings.preview': '儲存這些值後，多少裝置的哪些值會變更，以及哪些裝置缺少變數。',
  'settings.ofDevice': '裝置的所有設定值、其來源，以及路由器回報的值；路由器連線時立即讀取，最多每 10 秒一次。',
  'settings.adopt': '將裝置的路由器所回報、與設定不同的值，改為此裝置的例外。',
  'settings.list': '裝置及其設定狀態，依序號排序，含最近一次套用設定的結果。',
};

export const areas = { settings: '路由器設定' };
