export const summaries = {
  'logs.evidence': '將整份操作紀錄匯出為已簽章的檔案，可用 `highline audit verify` 離線驗證。',
  'logs.export': '將操作紀錄匯出為 CSV 或 Excel 活頁簿（Logs_export），篩選條件相同。',
  'logs.key': '驗證匯出的操作紀錄與檢查點所用的公開金鑰（PEM）。',
  'logs.list': '組織的操作紀錄，最新的在前；主帳號未指定 `org` 時讀取自己的操作紀錄，包括不屬於任何組織的事件。',
  'logs.people': '操作紀錄中所有人員的電子郵件地址，依字母順序排列；最多 200 個。',
};

export const areas = { logs: '操作紀錄' };
