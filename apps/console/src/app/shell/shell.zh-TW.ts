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
  people: {
    users: '雲端使用者',
    colleagues: '同事',
  },
  role: {
    main: '主帳號',
    admin: '管理員',
    user: '使用者',
  },
  section: {
    data: '資料',
    office: '管理',
    fleet: '車隊',
    customers: '客戶',
    updates: '更新',
  },
  palette: {
    open: '尋找裝置或頁面',
  },
  zone: {
    label: '時區',
    browser: '本地時間',
  },
  alerts: '警報',
  alertsFiring_other: '{{count}} 則觸發中的警報',
  jobs: '工作',
  language: '語言',
  scheme: {
    label: '外觀',
    light: '淺色',
    dark: '深色',
    auto: '自動',
  },
  account: '帳號',
  profile: '個人資料與工作階段',
  speeds: '以 {{unit}} 顯示速度',
  temperatures: '以 {{unit}} 顯示溫度',
  logOut: '登出',
  footer: 'Highline {{version}} · {{year}}',
  notFound: '找不到此頁面',
  notFoundHint: '沒有畫面使用此網址，可能是網址輸入錯誤或連結已過期。',
  home: '前往首頁',
  broken: '無法顯示此頁面。',
  notLoaded: '無法載入此頁面。伺服器恢復回應後會自動開啟。',
  lost: '連線於 {{time}} 中斷。畫面上的資料可能已過時，伺服器恢復回應後會自動更新。',
  loading: '正在載入頁面…',
  reload: '重新載入',
  demo: '示範',
  limited: '僅限{{names}}',
};
