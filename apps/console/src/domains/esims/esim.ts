import type { ApiError } from '../../api/errors.ts';
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

/** Whether the router can switch to this eSIM: it is there and not in use. */
export function canSwitchTo({ pk, status }: Pick<Profile, 'pk' | 'status'>): boolean {
  return pk !== '' && (status === 'Activated' || status === 'Fail to activate');
}

type FailureKey = keyof typeof messages.failure;

const batchFailures: ReadonlyMap<string, FailureKey> = new Map([
  ['ICCID is required for preloaded profile.', 'mandatory'],
  ['SN not found', 'batchUnknown'],
  ['no valid device not found', 'batchUnknown'],
  ['SN and EID not match', 'mismatch'],
]);

/** The translation of a CSV row's error; undefined for one shown unchanged (SIM-05). */
export function batchFailureOf(error: string): FailureKey | undefined {
  return batchFailures.get(error);
}

/**
 * The translation of a failed addition, shown under the EID (SIM-09).
 * @returns undefined when its detail is shown unchanged
 */
export function addFailureOf(detail: string): FailureKey | undefined {
  if (detail.includes('SN not found')) return 'unknown';
  return detail.includes('SN and EID not match') ? 'mismatch' : undefined;
}

/** The detail of a rejected profile besides its message; undefined when there is none. */
export function detailOf({ detail, message }: ApiError): string | undefined {
  return typeof detail === 'string' && detail !== '' && detail !== message ? detail : undefined;
}
