import type { Tone } from '../../ui/StatusDot.tsx';
import type { Profile } from './esims.api.ts';
import type { esims as messages } from './esims.en-US.ts';

type StatusKey = keyof typeof messages.status;
type ReasonKey = keyof typeof messages.reason;

/** The catalogue key of each status. */
export const statusKeys: Readonly<Record<Profile['status'], StatusKey>> = {
  'Assigning...': 'assigning',
  'Downloading...': 'downloading',
  Activated: 'activated',
  'In Use': 'inUse',
  'Deleting...': 'deleting',
  'Fail to download': 'failToDownload',
  'Fail to activate': 'failToActivate',
  'Out of memory': 'outOfMemory',
  'Not Purchased': 'notPurchased',
};

const iconTones: Readonly<Record<Profile['statusIcon'], Tone>> = { online: 'ok', expire: 'bad', doing: 'busy' };

/** The dot of a status: online, expire or doing as the server sends it (SIM-01); a missing profile has a hollow one. */
export function toneOf({ status, statusIcon }: Pick<Profile, 'status' | 'statusIcon'>): Tone {
  return status === 'Not Purchased' ? 'unknown' : iconTones[statusIcon];
}

const reasonKeys: readonly ReasonKey[] = [
  'no-answer',
  'unsupported',
  'out-of-memory',
  'download-failed',
  'iccid-mismatch',
  'unreachable',
  'invalid-code',
  'wrong-confirmation',
  'activation-failed',
  'delete-failed',
  'apn-returned',
  'eid-mismatch',
  'gone',
  'offline',
  'not-allowed',
  'expired',
  'preloaded',
];

/** Why a step failed: a translated code, and what the router added. */
export function reasonOf(reason: string): { readonly word: ReasonKey | undefined; readonly rest: string } {
  const [code = '', ...more] = reason.split(':');
  const word = reasonKeys.find((known) => known === code.trim());
  return word === undefined ? { word, rest: reason } : { word, rest: more.join(':').trim() };
}

/** Whether an eSIM failed to download and can be retried (SIM-03). */
export function canResume({ status }: Pick<Profile, 'status'>): boolean {
  return status === 'Fail to download' || status === 'Out of memory';
}

/** Whether the router can switch to this eSIM: it is there, not in use, and not being switched to. */
export function canSwitchTo({ pk, status, requested }: Pick<Profile, 'pk' | 'status' | 'requested'>): boolean {
  return pk !== '' && (status === 'Activated' || status === 'Fail to activate' || requested);
}
