import type { Translation } from '../../ui/translation.ts';
import type { users as english } from './users.en-US.ts';

export const users: Translation<typeof english> = {
  title: '雲端使用者',
  caption: '雲端使用者',
  count_other: '{{shown}} 位使用者',
  column: { name: '使用者名稱', email: '電子郵件', role: '角色' },
  field: { name: '使用者名稱', email: '電子郵件' },
  role: { label: '角色', all: '所有使用者角色', admin: '管理員', user: '使用者' },
  add: {
    open: '新增',
    title: '新增使用者',
    submit: '新增',
    bothFirst: '請先輸入使用者名稱與電子郵件地址。',
    badEmail: '帳號無效',
    hint: '對方會收到一封含有設定密碼連結的郵件，連結七天內有效。',
    done: '邀請郵件即將寄至 {{email}}。',
  },
  remove: {
    enter: '刪除',
    count: '刪除（{{number}}）',
    question: '確定要刪除所選的使用者嗎？',
    isSelf: '這是您自己的帳號。',
    failed: '{{reason}}：{{emails}}',
  },
  detail: {
    title: '編輯使用者',
    gone: '此使用者已不存在。',
    privileges: '權限',
  },
  privileges: {
    admin: [
      '檢視與管理裝置、下載裝置清單',
      '建立、編輯與刪除裝置',
      '遠端管理（GUI、SSH）',
      '檢視與管理群組',
      '設定韌體與設定檔、進階設定',
      '上傳設定檔',
      '下載雲端紀錄',
    ].join('\n'),
    user: ['檢視裝置', '下載裝置與群組清單', '檢視群組的裝置清單', '下載雲端紀錄', '不可管理、不可遠端管理、不可上傳設定檔'].join(
      '\n',
    ),
  },
  profile: {
    title: '我的個人資料',
    open: '個人資料與工作階段',
    changePassword: '變更密碼',
    changeQuestion: '您將在所有裝置上登出並前往登入頁面，請在該頁面選擇「忘記密碼」以取得設定新密碼的連結。',
    sessions: '工作階段',
    current: '目前使用中',
    lastUsed: '上次使用',
    address: 'IP 位址',
    browser: '瀏覽器',
    end: '結束',
    endAll: '在所有裝置上登出',
    ended: '工作階段已結束。',
  },
};
