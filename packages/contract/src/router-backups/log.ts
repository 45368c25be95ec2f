export const log = {
  'backup.downloaded': ['Downloaded the configuration of device {0}', '已下載裝置 {0} 的設定備份'],
  'backup.settings': ['Changed the backups of routers', '已變更路由器的設定備份'],
  'part.kind_backup-config': ['Back up configuration', '備份設定'],
  'part.kind_restore-config': ['Restore configuration', '還原設定備份'],
} as const;
