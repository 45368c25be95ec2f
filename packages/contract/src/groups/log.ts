export const log = {
  'group.bound': ['Bound {0} to group {1}', '已將{0}綁定到群組 {1}'],
  'group.changed': ['Changed {0} of group {1}', '已變更群組 {1} 的{0}'],
  'group.control_full': ['Gave {0} Full Control of group {1}', '已給予 {0} 對群組 {1} 的完全控制權'],
  'group.control_read': ['Gave {0} Only Read of group {1}', '已將 {0} 對群組 {1} 的權限設為唯讀'],
  'group.created': ['Created group {0}', '已建立群組 {0}'],
  'group.deleted': ['Deleted group {0}', '已刪除群組 {0}'],
  'group.unbound': ['Removed {0} from group {1}', '已將{0}從群組 {1} 移除'],
} as const;
