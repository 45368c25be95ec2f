import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'notification.too_many': '收件者過多，請先移除一個。',
  'mail.not_found': '此郵件已寄出或已不存在。',
};
