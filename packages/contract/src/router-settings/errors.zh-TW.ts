import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'settings.one_level': '請指定一個群組或一台裝置，不可兩者皆指定。',
  'settings.invalid_value': '此值不符合要求，請檢查欄位後再試。',
  'settings.nothing_differs': '路由器回報的值與設定相同。',
};
