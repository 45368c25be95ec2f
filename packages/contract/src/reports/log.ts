export const log = {
  'report.changed': ['Changed report {0}', '已變更報表 {0}'],
  'report.deleted': ['Deleted report {0}', '已刪除報表 {0}'],
  'report.saved': ['Saved report {0}', '已儲存報表 {0}'],
} as const;
