import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'settings.one_level': '請指定一個群組或一台裝置，不可兩者皆指定。',
  'settings.invalid_value': '此值不符合要求，請檢查欄位後再試。',
  'settings.nothing_differs': '路由器回報的值與設定相同。',
  'settings.unknown_path': '此組織的路由器沒有這個名稱的設定，請檢查路徑或新增結構描述檔。',
  'settings.too_many_entries': '同一層級的清單最多 32 個項目，請先移除一些。',
  'settings.too_many_schemas': '已有 10 個結構描述檔，請先刪除一個。',
  'settings.no_version': '此版本已不存在。',
  'settings.no_table': '內容的標題列需有 SN 與至少一個路徑，且最多 2,000 列。',
  'settings.twice': '有兩欄使用相同的路徑，請移除其中一欄。',
  'settings.no_schema': '沒有這個名稱的結構描述檔。',
};
