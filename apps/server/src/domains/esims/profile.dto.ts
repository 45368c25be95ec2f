import { esims, type rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { openedOrNone } from '../../kernel/index.ts';
import type { CodeSeal } from './code.seal.ts';
import { isUseWaiting, type StoredStatus } from './lineup.ts';

/** A profile as the screens' queries read it: `profileColumns` on `esim_profiles p`. */
export interface ProfileRow {
  readonly id: string;
  readonly device_id: string;
  readonly serial: string;
  readonly eid: string;
  readonly is_preloaded: boolean;
  readonly sealed_code: Buffer | null;
  readonly iccid: string;
  readonly apn: string;
  readonly apn2: string;
  readonly name: string;
  readonly carrier: string;
  readonly status: StoredStatus;
  readonly reason: string;
  readonly priority: number;
  /** Its path on the eUICC; null = it is not there. */
  readonly path: string | null;
  /** The step under way; null = none. */
  readonly step: string | null;
  readonly use_window: rollouts.UpdateWindow | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A profile as the list has it: `profileColumns`, the vehicle and the signal. */
export interface ListedRow extends ProfileRow {
  readonly vehicle: string;
  /** dBm. */
  readonly signal: number | null;
  /** Bytes of the running cycle, in a file; null = none were counted. */
  readonly cycle?: number | null;
}

export const profileColumns = sql`p.id, p.device_id, p.serial, p.eid, p.is_preloaded, p.sealed_code, p.iccid, p.apn, p.apn2, p.name,
  p.carrier, p.status, p.reason, p.priority, p.path, p.step, p.use_window, p.version, p.created_at, p.updated_at`;

/** Decrypts activation codes for those who may read them; undefined for all others (SIM-02). */
export type CodeReader = CodeSeal | undefined;

/** A profile as the API returns it. Its activation code only for those who may read it; the preloaded one's is not secret. */
export function toProfileDto(row: ProfileRow, codes: CodeReader): esims.Profile {
  const requested = isUseWaiting(row);
  return {
    pk: row.id,
    profile: row.id,
    device: row.device_id,
    serial: row.serial,
    eid: row.eid,
    ac: codeOf(row, codes),
    act: row.status === 'In Use',
    iccid: row.iccid,
    apn: row.apn,
    apn2: row.apn2,
    name: row.name,
    carrier: row.carrier,
    status: row.status,
    statusIcon: iconOf[row.status],
    priority: row.priority,
    reason: row.reason,
    requested,
    window: requested ? row.use_window : null,
    etag: `"${row.version}"`,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
  };
}

/** A profile of the list, with its vehicle and its signal. */
export function toListedDto(row: ListedRow, codes: CodeReader): esims.ListedProfile {
  return { ...toProfileDto(row, codes), vehicle: row.vehicle ?? '', signal: row.signal };
}

/** The decrypted activation code for those who may read it, otherwise, or where it cannot be opened, empty; 'preload' for the preloaded profile. */
export function codeOf({ id, is_preloaded, sealed_code: sealed }: ProfileRow, codes: CodeReader): string {
  if (is_preloaded) return esims.PRELOAD;
  return sealed === null || codes === undefined ? '' : (openedOrNone(() => codes.open(id, sealed)) ?? '');
}

/** SIM-01: whether a profile is usable, unusable, or in progress. */
export const iconOf: Record<esims.ProfileStatus, esims.Profile['statusIcon']> = {
  'In Use': 'online',
  Activated: 'online',
  'Assigning...': 'doing',
  'Downloading...': 'doing',
  'Deleting...': 'doing',
  'Fail to download': 'expire',
  'Fail to activate': 'expire',
  'Out of memory': 'expire',
  'Not Purchased': 'doing',
};

/** The card of a preloaded profile that is not set up yet (SIM-06, SIM-10). */
export function toPlaceholderDto(router: { device_id: string; serial: string; eid: string }, priority: number): esims.Profile {
  return {
    pk: '',
    profile: '',
    device: router.device_id,
    serial: router.serial,
    eid: router.eid,
    ac: esims.PRELOAD,
    act: false,
    iccid: '',
    apn: '',
    apn2: '',
    name: esims.PRELOADED_NAME,
    carrier: '',
    status: 'Not Purchased',
    statusIcon: iconOf['Not Purchased'],
    priority,
    reason: '',
    requested: false,
    window: null,
    etag: '',
    created: '',
    updated: '',
  };
}
