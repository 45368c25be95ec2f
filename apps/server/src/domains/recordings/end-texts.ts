import type { recordings } from '@highline/contract';
import type { Bilingual } from '../../platform/csv/index.ts';

/** Why a remote session or its recording ended, as the console says it. */
export const endTexts: Readonly<Record<recordings.RecordingEnd, Bilingual>> = {
  exited: ['Closed at the router', '在路由器端關閉'],
  'sign-in-failed': ['Sign-in failed', '登入失敗'],
  cancelled: ['Closed by a user', '由使用者關閉'],
  aborted: ['Cancelled before it was ready', '就緒前已取消'],
  busy: ['No port was free', '沒有可用的連接埠'],
  'no-answer': ['Router did not open the connection', '路由器未開啟連線'],
  rejected: ['Rejected by the router', '遭路由器拒絕'],
  expired: ['Credentials expired', '登入資料已過期'],
  idle: ['Idle for too long', '閒置過久'],
  'client-moved': ['Client left, or has another address', '用戶端已離線或位址已變更'],
  'rule-changed': ['No longer allowed by the organization', '組織不再允許'],
  'time-limit': ['One hour was over', '已滿一小時'],
  'signed-out': ['Signed out', '已登出'],
  'permission-lost': ['No longer allowed', '已無權限'],
  'device-gone': ['Device left the organization', '裝置已離開組織'],
  'not-subscribed': ['Subscription ended', '訂閱已結束'],
  offline: ['Router went offline', '路由器離線'],
  'tunnel-lost': ['Router disconnected', '路由器中斷連線'],
  'recording-full': ['Recording reached its largest size', '錄影已達大小上限'],
  'recording-failed': ['Recording could not be stored', '無法儲存錄影'],
  'server-stopped': ['Server was stopped', '伺服器已停止'],
  'server-restarted': ['Server was restarted', '伺服器已重新啟動'],
  interrupted: ['Interrupted: the server failed', '中斷：伺服器異常停止'],
};
