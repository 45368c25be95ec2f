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
  add: '新增',
  remove: {
    enter: '刪除',
    count: '刪除({{number}})',
    question: '確定要刪除所選的組織嗎？',
    means: '其人員會立即登出且無法再登入，部署隨即結束，路由器會立即退回您的庫存。其餘資料於 30 天後清除，紀錄則保留給您。',
    typeTitle: '刪除組織',
    type: '請輸入 {{word}} 以刪除所選的組織。',
    resultTitle: '刪除組織',
    result_other: '已刪除 {{shown}} 個組織。',
    failed: '{{name}}：{{reason}}',
    devices_other: '{{name}}：已刪除，收回 {{shown}} 台裝置',
  },
  setting: {
    title: '組織',
    gone: '此組織已不存在。',
    contact: '聯絡人',
    ratio: '即將到期或已到期／所有裝置',
    stale: '其他人已先儲存此組織。目前內容為：{{name}}、{{phone}}、{{address}}。您輸入的內容仍保留在此。',
    contacts: '聯絡人清單',
    addContact: '新增聯絡人',
  },
  contact: {
    title: '新增聯絡人',
    name: '使用者名稱',
    email: '電子郵件',
    hint: '系統會寄信邀請此人，並以使用者身分檢視該組織。',
    badEmail: '電子郵件格式不正確',
    bothFirst: '請輸入使用者名稱與電子郵件。',
    submit: '新增',
    done: '已邀請 {{email}}',
  },
};
