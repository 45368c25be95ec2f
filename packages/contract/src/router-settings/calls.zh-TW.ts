export const summaries = {
  'settings.profile':
    '組織、群組或裝置對路由器的設定值，格式為設定範本（JSON），可用 `settings.importProfile` 匯入；密碼為 null。',
  'settings.running': '裝置的路由器目前實際執行的設定，格式為設定範本：其結構描述中路由器有回報的所有參數。',
  'settings.importProfile':
    '以設定範本取代組織、群組或裝置的設定值；不會傳送至路由器。指定 `dryRun` 時只回覆差異與所有錯誤列，不會儲存；有任何錯誤列時也不會儲存。支援 If-Match。',
  'settings.read': '組織、群組或裝置對路由器的設定值，以及所沿用的值；機密值一律不顯示。',
  'settings.versions':
    '組織、群組或裝置先前的設定值，最新在前；舊版本保留一年。要回到某個版本，請儲存其值，並以其編號作為 `secretsOf`。',
  'settings.save':
    '取代組織、群組或裝置對路由器的設定值。此呼叫不會傳送任何內容，傳送請使用 `bindings.settings`，單一裝置則使用 `commands.send` 的 `apply-settings`。支援 If-Match。',
  'settings.preview': '儲存這些值後，多少裝置的哪些值會變更，以及哪些裝置缺少變數。',
  'settings.ofDevice': '裝置的所有設定值、其來源，以及路由器回報的值；路由器連線時立即讀取，最多每 10 秒一次。',
  'settings.adopt': '將裝置的路由器所回報、與設定不同的值，改為此裝置的例外。',
  'settings.adoptMany': '將路由器所回報、與設定不同的值改為各裝置的例外：可指定群組，或整個組織；一次最多 500 台裝置。',
  'settings.export': '同一清單的 CSV 或 Excel 檔，含不同的值。',
  'settings.list': '裝置及其設定狀態，依序號排序，含最近一次套用設定的結果。',
  'settings.import':
    '以 CSV 設定裝置的值：一欄 SN，每個路徑各一欄。空白儲存格不變更，`-` 移除該裝置的值。正確的列會儲存，錯誤的列會列出；不會傳送任何內容。',
  'settings.importFile':
    '以 CSV 檔或 Excel 活頁簿設定裝置的值：一欄 SN，每個路徑各一欄；其他欄位會忽略並列出。空白儲存格不變更，`-` 移除該裝置的值。正確的列會儲存，錯誤的列會列出；不會傳送任何內容。',
  'settings.schemas': '組織的結構描述檔：其他廠商型號的參數或其範圍，設定表單隨之增加這些欄位。',
  'settings.saveSchema': '儲存結構描述檔，取代同名者；最多 10 個。',
  'settings.deleteSchema': '依名稱刪除結構描述檔；其參數的值仍會保留，但不再傳送。',
};

export const areas = { settings: '路由器設定' };
