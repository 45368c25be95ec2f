export const log = {
  'command.added': ['Added command {0}', '已新增指令 {0}'],
  'command.changed': ['Changed command {0}', '已變更指令 {0}'],
  'command.deleted': ['Deleted command {0}', '已刪除指令 {0}'],
  'command.ran': ['Ran command {0} on device {1}', '已在裝置 {1} 上執行指令 {0}'],
} as const;
