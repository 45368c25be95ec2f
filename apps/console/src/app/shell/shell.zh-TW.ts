import type { Translation } from '../../ui/translation.ts';
import type { shell as english } from './shell.en-US.ts';

export const shell: Translation<typeof english> = {
  skip: '跳到主要內容',
  menu: '選單',
  openMenu: '開啟選單',
  closeMenu: '關閉選單',
  kind: {
    organization: '組織',
    main: '主帳號',
  },
  role: {
    main: '主帳號',
    admin: '管理員',
    user: '使用者',
  },
  section: {
    office: '管理',
    fleet: '車隊',
    customers: '客戶',
    updates: '更新',
  },
  screen: {
    firmwares: '韌體',
    firmware: '韌體',
    configs: '設定檔',
    logs: '紀錄',
    dashboard: '總覽',
    organization: '組織',
    orgList: '裝置',
    inventory: '庫存',
    devices: '裝置',
    groups: '群組',
  },
  palette: {
    open: '尋找裝置或頁面',
    label: '尋找裝置或頁面',
    screens: '頁面',
    device: '裝置',
    none: '沒有符合的結果。',
  },
  zone: {
    label: '時區',
    browser: '瀏覽器所在位置',
  },
  language: '語言',
  scheme: {
    label: '外觀',
    light: '淺色',
    dark: '深色',
    auto: '自動',
  },
  account: '帳號',
  logOut: '登出',
  footer: 'Highline {{version}} · {{year}}',
  notFound: '找不到此頁面。',
  home: '前往首頁',
  broken: '無法顯示此頁面。',
  reload: '重新載入',
  demo: '示範',
};
