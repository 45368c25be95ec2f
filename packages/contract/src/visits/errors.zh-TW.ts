import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'permission.visitor': '支援人員與來賓不能執行此操作，請洽該組織的管理員。',
  'visit.not_found': '此存取權不存在。',
  'visit.over': '此存取權已結束。',
  'visit.is_member': '此人已屬於貴公司。',
  'visit.open_already': '此人已是貴組織的來賓。',
  'visit.too_many': '來賓與支援存取最多共 100 個，請先結束一個。',
};
