export const log = {
  'role.changed': ['Changed the role {0}', '已變更角色 {0}'],
  'role.created': ['Made the role {0}', '已建立角色 {0}'],
  'role.deleted': ['Deleted the role {0}', '已刪除角色 {0}'],
  'role.given': ['Gave {0} the role {1}', '已將角色 {1} 指派給 {0}'],
  'role.taken': ['Took the role {1} from {0}', '已取消 {0} 的角色 {1}'],
} as const;
