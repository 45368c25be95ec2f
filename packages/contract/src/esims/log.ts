export const log = {
  'esim.added': ['Added eSIM {0} to device {1}', '已將 eSIM {0} 加入裝置 {1}'],
  'esim.changed': ['Changed {0} of eSIM {1} of device {2}', '已變更裝置 {2} 的 eSIM {1} 的{0}'],
  'esim.deleted': ['Deleted eSIM {0} of device {1}', '已刪除裝置 {1} 的 eSIM {0}'],
  'esim.order_changed': ['Changed the order of the eSIMs of device {0}', '已變更裝置 {0} 的 eSIM 順序'],
  'esim.switched': ['Switched to eSIM {0} of device {1}', '已將裝置 {1} 切換到 eSIM {0}'],
  'esim.switch_planned': [
    'Planned the switch to eSIM {0} of device {1} for a window',
    '已安排裝置 {1} 於指定時機切換到 eSIM {0}',
  ],
  'esim.switch_withdrawn': ['Withdrew the planned switch to eSIM {0} of device {1}', '已取消裝置 {1} 切換到 eSIM {0} 的安排'],
  'esim.switch_not_allowed': [
    'Did not switch to eSIM {0} of device {1}: the user who requested it may not do this any more',
    '未將裝置 {1} 切換到 eSIM {0}：要求切換的使用者已無此權限',
  ],
  'esim.tried_again': ['Retried eSIM {0} of device {1}', '已重試裝置 {1} 的 eSIM {0}'],
  'esims.imported': ['Imported eSIMs: {0}', '已匯入 {0} 個 eSIM'],
} as const;
