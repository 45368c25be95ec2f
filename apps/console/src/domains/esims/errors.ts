import type { ApiError } from '../../api/errors.ts';
import type { esims as messages } from './esims.en-US.ts';

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
