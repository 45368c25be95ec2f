export const summaries = {
  'summaries.preview': '一段期間的報表：數據用量、可用率、斷線、訊號、警報、人員操作或庫存；回傳前幾列。',
  'summaries.file': '完整報表，格式為 PDF（前 2,000 列）、Excel 活頁簿或 CSV；開頭幾行說明內容、對象與期間。',
};

export const areas = { summaries: '定期報表' };
