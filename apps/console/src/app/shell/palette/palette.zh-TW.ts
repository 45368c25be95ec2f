import type { Translation } from '../../../ui/translation.ts';
import type { palette as english } from './palette.en-US.ts';

export const palette: Translation<typeof english> = {
  section: {
    recent: '最近開啟',
    page: '頁面',
    action: '動作',
    device: '裝置',
    sim: 'SIM 卡',
    group: '群組',
    view: '已儲存的檢視',
    person: '人員',
    firmware: '韌體',
    config: '設定檔',
    organization: '組織',
  },
  field: {
    vehicle: '車輛',
    serial: '序號',
    iccid: 'ICCID',
    imei: 'IMEI',
    mtn: 'MTN',
    mac: 'MAC',
    name: '名稱',
    email: '電子郵件',
    version: '版本',
    model: '型號',
    carrier: '電信業者',
  },
  action: {
    light: '使用淺色外觀',
    dark: '使用深色外觀',
    english: '切換為英文',
    chinese: '切換為繁體中文',
    logOut: '登出',
  },
  also: {
    scheme: '模式 主題 顏色 theme',
    language: '語言 翻譯 language',
    logOut: '離開 退出 log out',
  },
  matched: '{{field}} {{value}}',
  hint: '{{first}} · {{second}}',
  found_other: '{{count}} 筆結果',
  none: '沒有符合的結果。',
  tryThis: '輸入車輛、序號、ICCID、IMEI、MTN、名稱，或想做的事。',
};
