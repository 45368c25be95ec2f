/** What each call does, by its id. */
export const summaries = {
  'jobs.cancel': '在下一批開始之前停止工作；已變更的內容維持不變。',
  'jobs.get': '單一工作及其進度。',
  'jobs.items': '工作在各裝置上的結果。',
  'jobs.list': '大量裝置的變更工作，最新的在前；結束超過 30 天的工作會刪除。',
  'jobs.preview': '工作會變更多少台裝置，以及群組會立即在這些裝置上啟動哪些更新。不變更任何資料。',
  'jobs.retry': '只對失敗的裝置或列重試，並成為新的工作。',
  'jobs.start':
    '在背景變更大量裝置：指定的裝置，或符合裝置清單篩選條件的所有裝置；也可刪除其他清單的列。呼叫者（使用者或 API 金鑰）另須具備對單一裝置或單一列執行相同動作的呼叫，例如 devices.delete。若含有權限範圍外的 ID，呼叫會回應 404。',
  'jobs.undo': '以新的工作還原先前的值，僅限目前的值仍是該工作所設定的裝置。',
};

export const areas = {
  jobs: '工作',
};
