export const log = {
  'view.changed': ['Changed view {0}', '已變更檢視 {0}'],
  'view.deleted': ['Deleted view {0}', '已刪除檢視 {0}'],
  'view.saved': ['Saved view {0}', '已儲存檢視 {0}'],
  'view.opens': ['Opens {0} with view {1}', '「{0}」清單將以檢視 {1} 開啟'],
  'view.opens_no_longer': ['No longer opens {0} with view {1}', '「{0}」清單不再以檢視 {1} 開啟'],
} as const;
