import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'plan.not_found': '此資費方案已不存在。',
  'plan.name_taken': '已有相同名稱的資費方案。',
  'plan.sims_taken': '這些 SIM 已適用另一個資費方案。請修改該方案，或選擇其他 SIM。',
  'plan.too_many': '每個組織最多 50 個資費方案，請先刪除一個。',
  'plan.too_many_sims': '每個組織最多 500,000 張 SIM。',
};
