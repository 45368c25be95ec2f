export const log = {
  'plan.added': ['Added data plan {0}', '已新增資費方案 {0}'],
  'plan.changed': ['Changed data plan {0}', '已變更資費方案 {0}'],
  'plan.chosen': ['Assigned data plan {0} to SIMs: {1}', '已為 {1} 張 SIM 選用資費方案 {0}'],
  'plan.deleted': ['Deleted data plan {0}', '已刪除資費方案 {0}'],
  'plan.not_allowed': [
    'Data plan {0} did nothing at the allowance, since who saved it may not act any more. SIMs: {1}',
    '{1} 張 SIM 已達資費方案 {0} 的額度，但儲存方案的使用者已無權執行，因此未執行動作',
  ],
  'usage.zone': ['Chose {0} as the time zone of data use', '已選擇 {0} 為數據用量的時區'],
  'plan.taken': ['Removed data plan {0} from SIMs: {1}', '已從 {1} 張 SIM 移除資費方案 {0}'],
} as const;
