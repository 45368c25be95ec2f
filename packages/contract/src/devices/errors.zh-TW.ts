import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'device.serial_unknown': '序號不正確',
  'device.mac_mismatch': 'MAC 位址不正確',
  'device.duplicate': '序號已存在',
  'device.dates_reversed': '到期日不可早於開始日期。',
  'device.other_model': '此路由器的型號不同，請輸入此型號路由器的序號。',
  'device.name_taken': '已有相同名稱的裝置。',
};
