import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'positions.too_many': '一份資料饋送最多包含 100,000 輛車，請指定一個群組。',
};
