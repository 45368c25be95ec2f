export const log = {
  'geofence.added': ['Added geofence {0}', '已新增地理圍欄 {0}'],
  'geofence.changed': ['Changed geofence {0}', '已變更地理圍欄 {0}'],
  'geofence.deleted': ['Deleted geofence {0}', '已刪除地理圍欄 {0}'],
} as const;
