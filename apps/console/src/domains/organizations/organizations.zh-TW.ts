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
    count: '刪除（{{number}}）',
    question: '確定要刪除所選的組織嗎？',
    means: '其使用者將立即登出，部署隨即停止，路由器退回您的庫存。其他資料於 30 天後清除，紀錄予以保留。',
    typeTitle: '刪除組織',
    type: '請輸入 {{word}} 以刪除所選的組織。',
    resultTitle: '刪除組織',
    result_other: '已刪除 {{shown}} 個組織。',
    failed: '{{name}}：{{reason}}',
    devices_other: '{{name}}：已刪除，{{shown}} 台裝置已退回庫存',
  },
  setting: {
    title: '組織',
    gone: '此組織已不存在。',
    contact: '聯絡人',
    ratio: '即將到期或已到期／所有裝置',
    tagsHint: 'BD：此組織的報表與圖表預設以 1 小時為區間。',
    stale:
      '其他人已變更此組織，目前內容為：名稱「{{name}}」、電話「{{phone}}」、地址「{{address}}」、標籤「{{tags}}」。您的變更仍保留，再次儲存即可覆寫。',
    contacts: '聯絡人清單',
    addContact: '新增聯絡人',
  },
  admins: {
    title: '管理員',
    none: '尚無管理員',
    factorOn: '雙重驗證已啟用',
    factorOff: '雙重驗證未啟用',
    more: '顯示前 {{shown}} 位，共 {{total}} 位。',
  },
  contact: {
    title: '新增聯絡人',
    name: '使用者名稱',
    email: '電子郵件',
    hint: '系統會以郵件邀請此人，對方可以使用者身分檢視該組織。',
    badEmail: '電子郵件格式不正確',
    bothFirst: '請輸入使用者名稱與電子郵件。',
    submit: '新增',
    done: '已邀請 {{email}}',
  },
};
