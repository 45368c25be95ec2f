export const summaries = {
  'summaries.preview':
    '報表的前幾列：一段期間的數據用量、可用率、斷線、訊號、警報、人員操作與遠端連線，或目前的裝置清冊、設定與訂閱。',
  'summaries.file': '完整報表，格式為 PDF（前 2,000 列）、Excel 活頁簿或 CSV；開頭幾行說明內容、對象與期間。',
  'summaries.list': '已儲存的定期報表，包含排程與最近一次寄送，最新的在前。',
  'summaries.create': '儲存定期報表並依排程寄送；外部信箱須先確認。',
  'summaries.save': '取代已儲存的定期報表。可用 If-Match 帶入其 `version`。',
  'summaries.delete': '刪除已儲存的定期報表，之後不再寄送。',
  'summaries.send': '立即將已儲存的定期報表寄給收件者。',
  'summaries.resume': '重新寄送給 `paused` 中的收件者，適用於此組織或主帳號的所有定期報表。',
  'summaries.sentFile': '下載已儲存的定期報表在 `sentFiles` 中某次寄送的檔案，於組織保留期間內提供。',
  'summaries.settings': '組織報表的共用設定：約定的可用率、標誌與檔案保留天數。',
  'summaries.saveSettings': '取代標誌以外的共用設定。可用 If-Match 帶入其 `version`。',
  'summaries.saveLogo': '上傳 PNG 或 JPEG 作為文件開頭的標誌。',
  'summaries.deleteLogo': '移除文件開頭的標誌。',
  'summaries.answerLink': '以郵件中的連結確認信箱，或一鍵停止寄送（RFC 8058）。',
};

export const areas = { summaries: '定期報表' };
