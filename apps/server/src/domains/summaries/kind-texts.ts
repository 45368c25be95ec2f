import type { rollouts, SubscriptionState } from '@highline/contract';
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
