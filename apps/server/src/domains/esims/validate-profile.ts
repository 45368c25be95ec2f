import { esims, type FailureKey, lengthOf } from '@highline/contract';
import { isPreloadedCode, normalizeEid, normalizeIccid, parseActivationCode, readIccid } from '@highline/usp';
import { confirmationOf } from './confirmation.ts';
import type { LineupProfile } from './lineup.ts';
import { hasCapacity } from './slots.ts';

/** A profile requested for a router; as typed, not yet verified. */
export interface ProfileInput {
  readonly serial: string;
  readonly eid: string;
  readonly code: string;
  /** Some activation codes need it; left out = none. */
  readonly confirmation?: string | undefined;
  readonly iccid: string;
  /** The ICCID as a person has confirmed it, or true for the one that is probably meant. */
  readonly iccidConfirmed?: string | true | undefined;
  readonly apn: string;
  readonly apn2: string;
  readonly name: string;
  /** Undefined = after the others. */
  readonly priority?: number | undefined;
}

/** A router of the organization, with the limits for another profile. */
export interface ProfileHome {
  readonly deviceId: string;
  readonly routerId: string;
  readonly serial: string;
  /** Reported by the router, otherwise as typed before; null if unknown. */
  readonly eid: string | null;
  /** False = the router has reported its SIMs, and none is an eUICC; undefined = not known yet. */
  readonly hasEuicc: boolean | undefined;
  readonly slots: readonly LockedSlot[];
}

export interface LockedSlot extends LineupProfile {
  /** In its stored form; '' = none. */
  readonly code: string;
}

/** The fault of a requested profile, and its field. */
export interface ProfileFault {
  readonly fault: FailureKey;
  readonly field: keyof ProfileInput;
  /** Instead of the error's own text. */
  readonly message?: string;
  /** A number to be confirmed. */
  readonly doubt?: esims.IccidDoubt;
}

/** A profile that can be added to its router, in its stored form. */
export interface AcceptedProfile extends Omit<ProfileInput, 'code' | 'confirmation' | 'iccidConfirmed'> {
  /** Null for the preloaded profile. */
  readonly code: string | null;
  /** Null = none. */
  readonly confirmation: string | null;
  readonly isPreloaded: boolean;
}

/**
 * Validate a requested profile against its router (SIM-04, SIM-05, SIM-07).
 * @param home undefined = no router of this serial number is in the organization
 */
export function validateProfile(
  { iccidConfirmed, ...input }: ProfileInput,
  home: ProfileHome | undefined,
): AcceptedProfile | ProfileFault {
  if (home === undefined) return { fault: 'esim.serial_unknown', field: 'serial' };
  if (home.hasEuicc === false) return { fault: 'esim.no_euicc', field: 'serial' };
  const eid = validateEid(input.eid, home);
  if (typeof eid !== 'string') return eid;
  if (input.code === '') return { fault: 'esim.code_missing', field: 'code' };
  const isPreloaded = isPreloadedCode(input.code);
  const parsed = isPreloaded ? null : parseActivationCode(input.code);
  if (parsed === undefined) return { fault: 'esim.code_invalid', field: 'code' };
  const confirmation = parsed === null ? null : confirmationOf(parsed, input.confirmation);
  if (confirmation === undefined) return { fault: 'esim.confirmation_required', field: 'confirmation' };
  if (confirmation !== null && lengthOf(confirmation) > esims.MAX_CONFIRMATION)
    return { fault: 'request.invalid', field: 'confirmation', message: 'The confirmation code is too long.' };
  if (input.iccid === '' && isPreloaded) return { fault: 'esim.iccid_required', field: 'iccid' };
  const iccid = input.iccid === '' ? '' : validateIccid(input.iccid, iccidConfirmed);
  if (typeof iccid !== 'string') return iccid;
  if (input.apn === '') return { fault: 'request.invalid', field: 'apn', message: 'APN1 is required.' };
  const code = parsed?.text ?? null;
  const isThere = home.slots.some((slot) =>
    isPreloaded ? slot.is_preloaded : (iccid !== '' && slot.iccid === iccid) || slot.code === code,
  );
  if (isThere) return { fault: 'esim.duplicate', field: 'code' };
  if (!hasCapacity(home.slots, isPreloaded)) return { fault: 'esim.full', field: 'serial' };
  return { ...input, eid, iccid, code, confirmation, isPreloaded, name: isPreloaded ? esims.PRELOADED_NAME : input.name };
}

/**
 * Read a typed ICCID; a doubtful one is accepted once a person has confirmed it.
 * @returns its stored form
 */
export function validateIccid(typed: string, confirmed: string | true | undefined): string | ProfileFault {
  const read = readIccid(typed);
  const field = 'iccid';
  if ('iccid' in read) return read.iccid;
  if ('fault' in read) return { fault: read.fault === 'form' ? 'esim.iccid_invalid' : 'esim.iccid_spreadsheet', field };
  const { meant, typed: whole } = read;
  if (confirmed === true) return meant;
  const named = confirmed === undefined ? undefined : normalizeIccid(confirmed);
  if (named === meant || named === whole) return named;
  return { fault: read.doubt === 'check-digit' ? 'esim.iccid_check' : 'esim.iccid_longer', field, doubt: read };
}

/**
 * Compare a typed EID with the known one of the router.
 * @returns its stored form
 */
export function validateEid(typed: string, { eid: known }: Pick<ProfileHome, 'eid'>): string | ProfileFault {
  const normal = normalizeEid(typed);
  // A router may report an EID that fails its own check: exactly that text then matches this router.
  if (known !== null && (normal === known || typed.trim() === known)) return known;
  if (known !== null) return { fault: 'esim.eid_mismatch', field: 'eid' };
  return normal ?? { fault: 'esim.eid_invalid', field: 'eid' };
}
