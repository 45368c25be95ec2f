export const log = {
  'scim.secret_created': ['Made the directory secret {0}', '已建立目錄服務金鑰 {0}'],
  'scim.secret_revoked': ['Revoked the directory secret {0}', '已撤銷目錄服務金鑰 {0}'],
  'scim.roles_saved': ['Chose the roles of the groups of the directory', '已選擇目錄服務群組的角色'],
  'scim.added': ['{0} was added by the directory', '目錄服務已新增 {0}'],
  'scim.changed': ['{0} was changed by the directory', '目錄服務已變更 {0}'],
  'scim.deleted': ['{0} was deleted by the directory', '目錄服務已刪除 {0}'],
  'scim.deactivated': ['{0} was deactivated by the directory', '目錄服務已停用 {0}'],
  'scim.activated': ['{0} was activated by the directory', '目錄服務已啟用 {0}'],
  'scim.role_taken': ['{0} has no role by the groups of the directory', '依目錄服務的群組，{0} 沒有角色'],
  'scim.role_changed': [
    'The role of {0} was changed to {1} by the groups of the directory',
    '{0} 的角色已依目錄服務的群組變更為{1}',
  ],
  'scim.rejected': ['The directory was not allowed to deactivate or delete {0}', '目錄服務未獲允許停用或刪除 {0}'],
  'scim.group_added': ['The directory added the group {0}', '目錄服務已新增群組 {0}'],
  'scim.group_changed': ['The directory changed the group {0}', '目錄服務已變更群組 {0}'],
  'scim.group_deleted': ['The directory deleted the group {0}', '目錄服務已刪除群組 {0}'],
} as const;
