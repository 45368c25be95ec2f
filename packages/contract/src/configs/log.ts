export const log = {
  'config.described': ['Changed the description of config file {0}', '已變更設定檔 {0} 的說明'],
  'config.deleted': ['Deleted config file {0}', '已刪除設定檔 {0}'],
  'config.read': ['Read version {0} of config file {1}', '已讀取設定檔 {1} 的第 {0} 版'],
  'config.uploaded': ['Uploaded config file {0}', '已上傳設定檔 {0}'],
  'config.version_uploaded': ['Uploaded version {0} of config file {1}', '已上傳設定檔 {1} 的第 {0} 版'],
  'configs.deleted': ['Deleted {0} config files', '已刪除 {0} 個設定檔'],
} as const;
