import { log as accounts } from './accounts/log.ts';
import { log as alerts } from './alerts/log.ts';
import { log as analysis } from './analysis/log.ts';
import { log as apiKeys } from './api-keys/log.ts';
import { log as bulkJobs } from './bulk-jobs/log.ts';
import { log as commands } from './commands/log.ts';
import { log as configs } from './configs/log.ts';
import { log as devices } from './devices/log.ts';
import { log as esims } from './esims/log.ts';
import { log as firmware } from './firmware/log.ts';
import { log as geofences } from './geofences/log.ts';
import { log as groups } from './groups/log.ts';
import { log as identityProviders } from './identity-providers/log.ts';
import { log as inventory } from './inventory/log.ts';
import { log as links } from './links/log.ts';
import { log as networks } from './networks/log.ts';
import { log as notifications } from './notifications/log.ts';
import { log as organizations } from './organizations/log.ts';
import { log as properties } from './properties/log.ts';
import { log as recordings } from './recordings/log.ts';
import { log as remoteAccess } from './remote-access/log.ts';
import { log as reports } from './reports/log.ts';
import { log as rollouts } from './rollouts/log.ts';
import { log as scim } from './scim/log.ts';
import { log as routerSettings } from './router-settings/log.ts';
import { log as summaries } from './summaries/log.ts';
import { log as tools } from './tools/log.ts';
import { log as usage } from './usage/log.ts';
import { log as views } from './views/log.ts';
import { log as webhooks } from './webhooks/log.ts';

// docs/domains/logs.md: a sentence is stored in English with its key and its parameters; keys stay as they are, since entries name them for
// years. `{0}` is the first parameter.

/** The sentences of the log by key: in English, as they are stored, and in Traditional Chinese. */
export const logSentences = {
  ...accounts,
  ...alerts,
  ...analysis,
  ...apiKeys,
  ...bulkJobs,
  ...commands,
  ...configs,
  ...devices,
  ...esims,
  ...firmware,
  ...geofences,
  ...groups,
  ...identityProviders,
  ...inventory,
  ...links,
  ...networks,
  ...notifications,
  ...organizations,
  ...properties,
  ...recordings,
  ...remoteAccess,
  ...reports,
  ...rollouts,
  ...scim,
  ...routerSettings,
  ...summaries,
  ...tools,
  ...usage,
  ...views,
  ...webhooks,
} as const;
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
