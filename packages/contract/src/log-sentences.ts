import { log } from './domains/log.ts';

// docs/domains/logs.md: a sentence is stored in English with its key and its parameters; keys stay as they are, since entries name them for
// years. `{0}` is the first parameter.

/** The sentences of the log by key: in English, as they are stored, and in Traditional Chinese. */
export const logSentences = log;
export type LogSentenceKey = keyof typeof logSentences;

/** Terms in the sentences: fields that changed, and roles. */
export const chineseTerms: Readonly<Record<string, string>> = {
  'APN 1': 'APN 1',
  'APN 2': 'APN 2',
  'activation code': '啟用碼',
  address: '地址',
  admin: '管理員',
  canaries: '先行更新',
  'confirmation code': '確認碼',
  description: '說明',
  devices: '裝置',
  'org-devices': '組織裝置',
  esims: 'SIM 卡',
  groups: '群組',
  inventory: '庫存',
  service: '服務狀態',
  firmware: '韌體',
  configs: '設定檔',
  colleagues: '同事',
  jobs: '工作',
  'api-keys': 'API 金鑰',
  logs: '操作紀錄',
  organizations: '組織',
  users: '雲端使用者',
  group: '群組',
  ICCID: 'ICCID',
  name: '名稱',
  note: '備註',
  phone: '電話',
  priority: '優先順序',
  'report interval': '回報間隔',
  retention: '保留天數',
  subscription: '訂閱',
  tags: '標籤',
  user: '使用者',
  'vehicle number': '車輛編號',
};
