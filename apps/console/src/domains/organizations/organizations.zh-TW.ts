import type { Translation } from '../../ui/translation.ts';
import type { organizations as english } from './organizations.en-US.ts';

export const organizations: Translation<typeof english> = {
  title: '組織',
  caption: '組織',
  count_other: '{{shown}} 個組織',
  column: {
    name: '組織名稱',
    contact: '聯絡人',
    phone: '電話',
    address: '地址',
    devices: '即將到期／所有裝置',
  },
  field: {
    name: '組織名稱',
    email: '電子郵件',
    phone: '電話',
    address: '地址',
  },
  showDevices: '顯示「{{name}}」的裝置',
};
