import { esims, type FailureKey } from '@highline/contract';
import { isPreloadedCode, normalizeEid, normalizeIccid, parseActivationCode } from '@highline/usp';
import { confirmationOf } from './confirmation.ts';
import type { LineupProfile } from './lineup.ts';
import { hasRoom } from './places.ts';

/** A profile as somebody wants it for a router; typed, and nothing of it is believed yet. */
export interface WantedProfile {
  readonly serial: string;
  readonly eid: string;
  readonly code: string;
  /** What some activation codes are worth nothing without; left out = none. */
  readonly confirmation?: string | undefined;
  readonly iccid: string;
  readonly apn: string;
  readonly apn2: string;
  readonly name: string;
  /** Undefined = after the others. */
  readonly priority?: number | undefined;
}

/** A router of the organization, with what stands in the way of another profile. */
export interface ProfileHome {
  readonly deviceId: string;
  readonly routerId: string;
  readonly serial: string;
  /** As the router tells it, else as it was typed before; null while nobody said. */
  readonly eid: string | null;
  /** False = the router has reported its SIMs, and none is an eUICC; undefined = not known yet. */
  readonly hasEuicc: boolean | undefined;
  readonly places: readonly HeldPlace[];
}

export interface HeldPlace extends LineupProfile {
  /** In its stored form; '' where there is none. */
  readonly code: string;
}

/** What is wrong with a wanted profile, and at which field. */
export interface ProfileFault {
  readonly fault: FailureKey;
  readonly field: keyof WantedProfile;
  /** Instead of the failure's own. */
  readonly message?: string;
}

/** A profile that can be given to its router, in its stored form. */
export interface AcceptedProfile extends Omit<WantedProfile, 'code' | 'confirmation'> {
  /** Null of the preloaded profile. */
  readonly code: string | null;
  /** Null where there is none. */
  readonly confirmation: string | null;
  readonly isPreloaded: boolean;
}

/**
 * Hold a wanted profile against its router (SIM-04, SIM-05, SIM-07).
 * @param home undefined = no router of this serial number is in the organization
 */
export function judgeProfile(wanted: WantedProfile, home: ProfileHome | undefined): AcceptedProfile | ProfileFault {
  if (home === undefined) return { fault: 'esim.serial_unknown', field: 'serial' };
  if (home.hasEuicc === false) return { fault: 'esim.no_euicc', field: 'serial' };
  const eid = judgeEid(wanted.eid, home);
  if (typeof eid !== 'string') return eid;
  const isPreloaded = isPreloadedCode(wanted.code);
  const parsed = isPreloaded ? null : parseActivationCode(wanted.code);
  if (parsed === undefined) return { fault: 'esim.code_invalid', field: 'code' };
  const confirmation = parsed === null ? null : confirmationOf(parsed, wanted.confirmation);
  if (confirmation === undefined) return { fault: 'esim.confirmation_required', field: 'confirmation' };
  if (confirmation !== null && confirmation.length > esims.MAX_CONFIRMATION)
    return { fault: 'request.invalid', field: 'confirmation', message: 'The confirmation code is too long.' };
  if (wanted.iccid === '' && isPreloaded) return { fault: 'esim.iccid_required', field: 'iccid' };
  const iccid = wanted.iccid === '' ? '' : normalizeIccid(wanted.iccid);
  if (iccid === undefined) return { fault: 'esim.iccid_invalid', field: 'iccid' };
  if (wanted.apn === '') return { fault: 'request.invalid', field: 'apn', message: 'APN1 is required.' };
  const code = parsed?.text ?? null;
  const isThere = home.places.some((place) =>
    isPreloaded ? place.is_preloaded : (iccid !== '' && place.iccid === iccid) || place.code === code,
  );
  if (isThere) return { fault: 'esim.duplicate', field: 'code' };
  if (!hasRoom(home.places, isPreloaded)) return { fault: 'esim.full', field: 'serial' };
  return { ...wanted, eid, iccid, code, confirmation, isPreloaded, name: isPreloaded ? esims.PRELOADED_NAME : wanted.name };
}

/**
 * The EID that somebody says a router has, held against what is known of it.
 * @returns its stored form
 */
export function judgeEid(typed: string, { eid: known }: Pick<ProfileHome, 'eid'>): string | ProfileFault {
  const normal = normalizeEid(typed);
  // A router may tell one that fails its own check: whoever types that very text means this router.
  if (known !== null && (normal === known || typed.trim() === known)) return known;
  if (known !== null) return { fault: 'esim.eid_mismatch', field: 'eid' };
  return normal ?? { fault: 'esim.eid_invalid', field: 'eid' };
}
