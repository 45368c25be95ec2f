import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'alert.not_found': '此警報已不存在。',
  'alert.rule_not_found': '此警報規則已不存在。',
  'alert.rule_name_taken': '已有相同名稱的警報規則。',
  'alert.too_many_rules': '每個組織最多 50 條警報規則，請先刪除一條。',
  'alert.scope_not_found': '此規則所指定的群組、標籤、檢視或地理圍欄不存在，請另選一個。',
  'alert.replay_too_large': '歷史資料過多，無法試算此規則。請改選一個群組或一個標籤；此規則仍可直接儲存。',
  'alert.channel_not_found': '此規則所指定的 Webhook 已不存在，請從清單中選擇。',
};
