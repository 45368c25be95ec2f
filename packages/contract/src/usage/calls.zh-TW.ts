export const summaries = {
  'usage.export': '將數據用量清單匯出為 CSV 或 Excel 活頁簿；檔名標示分組依據與月份。',
  'usage.list': '本週期或上一週期的數據用量，依 SIM、車輛、群組或組織（限主帳號）列出，用量最多的在前。單位為位元組。',
  'usage.month': '本月或上個月每日的數據用量，並列其前一個月；可依權限範圍、裝置或 SIM 查詢。日期依組織的時區計算。',
  'usage.of': '單一裝置的 SIM，或權限範圍內指定的 SIM 與裝置，在本週期的數據用量。',
  'usagePlans.add':
    '新增資費方案。符合的 SIM 會在幾秒內套用。若設定達到額度時的動作，呼叫者（使用者或 API 金鑰）另須具備 commands.run 或 esims.use。',
  'usagePlans.assign': '依 ICCID 為 SIM 選用或移除此資費方案。可指定尚未使用過的 SIM，並會檢查其號碼。',
  'usagePlans.delete': '刪除資費方案。其 SIM 將改用其電信業者或所有 SIM 的方案，或沒有方案。',
  'usagePlans.list': '組織的資費方案，以及本週期的用量、預估與費用。',
  'usagePlans.preview': '資費方案若現在套用會有什麼結果：僅為試算，不傳送也不變更任何內容。',
  'usagePlans.readFile': '讀取 CSV 檔或 Excel 活頁簿中 ICCID 欄的號碼（原樣且不重複），以便為其選用方案；不變更任何內容。',
  'usagePlans.save': '變更資費方案；`version` 為變更所依據的版本。',
  'usagePlans.setZone': '選擇組織計算日與週期的時區：自該時區的下一個午夜起適用；尚無用量時自始適用。',
};

export const areas = { usage: '數據用量', usagePlans: '資費方案' };
