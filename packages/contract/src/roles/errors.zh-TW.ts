import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'role.not_found': '這個角色不存在。',
  'role.name_taken': '已有同名的角色。',
  'role.too_many': '最多可有 100 個角色，請先刪除一個。',
  'role.right_unknown': '角色無法擁有這項權限，請選擇其他權限。',
  'role.in_use': '仍有人員使用這個角色，請選擇他們改用的角色。',
  'role.no_limit': '主帳號的角色無法限制群組或標籤。',
  'role.limit_empty': '請至少選擇一個群組或標籤，或讓角色可檢視所有裝置。',
  'role.inactive': '此人員目前已停用，請先啟用，再指派角色。',
  'role.admin_exists': '此組織已有管理員，主帳號只能授予自己在該組織擁有的權限，請洽該組織的管理員。',
  'permission.own_role': '您的角色不允許此操作，請洽管理員。',
};
