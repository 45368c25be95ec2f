import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'link.not_found': '此連結不存在。',
  'link.over': '此連結已失效。',
  'link.too_many': '最多可有 200 個有效連結，請先結束一個。',
  'link.shows_one': '請選擇一輛車或一個群組。',
};
