export const summaries = {
  'recordings.export': '同一份清單，存成 CSV 或 Excel 活頁簿。',
  'recordings.file': '一份終端機錄影，asciicast 第 2 版格式；錄影進行中也可取得。每次呼叫都會記錄。',
  'recordings.list': '已錄影的終端機工作階段，最新的在前。',
  'recordings.saveSettings':
    '設定此後開啟的瀏覽器終端機是否錄影。縮短保留天數後，較舊的錄影會在一小時內刪除。可用 If-Match 帶入其 `version`。',
  'recordings.settings': '瀏覽器中的終端機是否錄影，以及錄影保留的天數。',
  'recordings.verify': '錄影是否未經變更：重新計算 SHA-256 雜湊鏈，並與操作紀錄比對。',
};

export const areas = { recordings: '終端機錄影' };
