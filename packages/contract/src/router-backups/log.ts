export const log = {
  'backup.downloaded': ['Downloaded the configuration of device {0}', '已下載裝置 {0} 的設定備份'],
  'backup.settings': ['Changed the backups of routers', '已變更路由器的設定備份'],
  'backup.stopped': ['Stopped the nightly backups: {0} may not back up routers any more', '已停止每晚備份：{0} 已無權備份路由器'],
  'backup.continued': ['Continued the nightly backups in the name of {0}', '已恢復以 {0} 的名義執行每晚備份'],
  'part.kind_backup-config': ['Back up configuration', '備份設定'],
  'part.kind_restore-config': ['Restore configuration', '還原設定備份'],
} as const;
