import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'view.not_found': '此檢視已不存在。',
  'view.name_taken': '已有相同名稱的檢視。',
  'view.too_many': '已有 100 個檢視，請先刪除一個。',
};
