import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'plan.not_found': '此資費方案已不存在。',
  'plan.name_taken': '已有相同名稱的資費方案。',
  'plan.sims_taken': '這些 SIM 已適用另一個資費方案。請修改該方案，或選擇其他 SIM。',
  'plan.too_many': '每個組織最多 50 個資費方案，請先刪除一個。',
  'plan.iccids_damaged': '試算表已將部分 ICCID 的末幾位改為零。請將該欄設為文字格式，再重新輸入號碼。',
  'plan.iccids_doubtful': '這些 ICCID 有數字錯誤或多了一位，或電信業者印製時未含檢查碼。請與卡片核對後確認。',
  'plan.too_many_sims': '每個組織最多 500,000 張 SIM。',
};
