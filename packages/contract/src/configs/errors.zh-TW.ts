import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'config.not_found': '此設定檔不存在。',
  'config.empty': '檔案是空的。',
  'config.too_large': '檔案超過設定檔的大小上限。',
  'config.bound': '此設定檔已綁定群組，請先從群組移除。',
};
