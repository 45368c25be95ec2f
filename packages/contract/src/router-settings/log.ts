export const log = {
  'settings.saved': ['Changed the router settings of {0} ({1} values)', '已變更{0}的路由器設定（{1} 個值）'],
  'settings.adopted': [
    'Adopted {1} settings reported by the router of device {0}',
    '已採用裝置 {0} 的路由器所回報的 {1} 個設定值',
  ],
  'settings.schema_saved': ['Saved the schema file {0} of router settings', '已儲存路由器設定的結構描述檔 {0}'],
  'settings.schema_deleted': ['Deleted the schema file {0} of router settings', '已刪除路由器設定的結構描述檔 {0}'],
  'part.settings_organization': ['the organization', '組織'],
  'part.kind_apply-settings': ['Apply settings', '套用設定'],
} as const;
