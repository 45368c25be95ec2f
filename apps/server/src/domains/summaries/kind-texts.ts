import type { remoteAccess, rollouts, SubscriptionState } from '@highline/contract';
import type { Bilingual } from '../../platform/csv/index.ts';

/** Where a device is on the way to what its group is bound to. */
export const stateTexts: Readonly<Record<rollouts.TargetState, Bilingual>> = {
  waiting: ['Waiting', '等待中'],
  downloading: ['Downloading', '下載中'],
  verifying: ['Verifying', '驗證中'],
  applying: ['Applying', '套用中'],
  rebooting: ['Restarting', '重新啟動中'],
  successful: ['Successful', '成功'],
  failed: ['Failed', '失敗'],
  'rolled-back': ['Rolled back', '已還原'],
  unsupported: ['Not supported', '不支援'],
};

export const subscriptionTexts: Readonly<Record<SubscriptionState, Bilingual>> = {
  subscribed: ['Subscribed', '已訂閱'],
  expiring: ['Expiring', '即將到期'],
  'not-subscribed': ['Not subscribed', '未訂閱'],
};

/** Why a remote session ended. */
export const endTexts: Readonly<Record<remoteAccess.EndReason, Bilingual>> = {
  cancelled: ['Cancelled by a user', '使用者已取消'],
  aborted: ['The user left before it was ready', '使用者在連線就緒前離開'],
  busy: ['No free port', '沒有可用的連接埠'],
  'no-answer': ['The router did not open the connection', '路由器未開啟連線'],
  rejected: ['Rejected by the router', '遭路由器拒絕'],
  expired: ['The credentials expired', '登入資料已過期'],
  idle: ['Idle for too long', '閒置過久'],
  'time-limit': ['The time limit was reached', '已達連線時間上限'],
  'signed-out': ['The user signed out', '使用者已登出'],
  'permission-lost': ['The user is no longer allowed to connect', '使用者已無連線權限'],
  'device-gone': ['The device is no longer in the organization', '裝置已不屬於此組織'],
  'not-subscribed': ['The subscription ended', '訂閱已結束'],
  offline: ['The router went offline', '路由器已離線'],
  'tunnel-lost': ['Closed by the router', '由路由器關閉'],
  'client-moved': ['The client left, or has another address', '用戶端已離線或位址已變更'],
  'rule-changed': ['The organization no longer allows it', '組織不再允許此連線'],
  'server-stopped': ['The server was stopped', '伺服器已停止'],
  'recording-full': ['Its recording was as large as it may be', '錄影已達大小上限'],
  'recording-failed': ['It could not be recorded any longer', '無法繼續錄影'],
  'server-restarted': ['The server was restarted', '伺服器已重新啟動'],
};
