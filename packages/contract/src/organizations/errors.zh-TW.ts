import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'organization.key_reused': '此表單已建立過資料不同的組織，請查看清單。',
  'organization.same_target': '這些裝置已屬於此組織。',
};
