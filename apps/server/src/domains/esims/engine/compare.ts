import { esims } from '@highline/contract';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import { newId } from '../../../kernel/ids.ts';
import { isUseRequested } from '../lineup.ts';
import { freePriority, hasCapacity } from '../slots.ts';
import { awaitsSettings, noEsimStep, type Row } from './facts.ts';

/**
 * Compare the stored profiles of a router with its report: the profile it uses becomes the one in use, unknown profiles are
 * added, and missing ones are marked. Pure except for the ids of new rows.
 */
export function compare(rows: readonly Row[], reported: EsimReport, now: Date): Row[] {
  const matches = new Map<Row, ReportedProfile>();
  const unknown = reported.profiles.filter((profile) => {
    const row = findRow(rows, profile, matches);
    if (row !== undefined) matches.set(row, profile);
    return row === undefined;
  });
  const current = rows.flatMap((row) => {
    const profile = matches.get(row);
    const isLeft = rows.some((other) => other !== row && other.step === 'enable');
    return profile === undefined ? vanished(row) : [present(row, profile, isLeft)];
  });
  return reconcileEids([...current, ...takenOver(current, unknown, now)], reported.eid);
}

/**
 * By path and number; a reported profile without path by its number alone. A preloaded one that was not set up matches no row.
 */
function findRow(
  rows: readonly Row[],
  { path, iccid, preloaded }: ReportedProfile,
  taken: ReadonlyMap<Row, unknown>,
): Row | undefined {
  const isNumber = (row: Row) => iccid !== null && row.iccid === iccid;
  const free = rows.filter((row) => !taken.has(row) && row.isPreloaded === preloaded);
  return (
    free.find((row) => row.path === path && (isNumber(row) || row.iccid === '' || iccid === null)) ??
    free.find((row) => row.path !== null && isNumber(row)) ??
    free.find((row) => (isGone(row) || isNotBegun(row)) && isNumber(row))
  );
}

const GONE = 'gone';

/** It was there, and then was not; if it is reported again, it is the same. */
function isGone({ status, reason, path }: Row): boolean {
  return path === null && status === 'Fail to download' && reason === GONE;
}

/** Its download was requested, and none is under way: the eUICC has it from before, and would reject it. A preloaded one is there always. */
function isNotBegun({ isPreloaded, path, step, status }: Row): boolean {
  return !isPreloaded && path === null && step === null && status !== 'Deleting...';
}

/** @param isLeft the router is switching to another one */
function present(row: Row, profile: ReportedProfile, isLeft: boolean): Row {
  const { path, iccid, carrier, active } = profile;
  const facts = { path, iccid: iccid ?? row.iccid, carrier: carrier || row.carrier };
  return withAccessPoint({ ...row, ...facts, ...stateOf(row, active, isLeft) }, profile);
}

const APN_RETURNED = 'apn-returned';

/** The profile in use has another APN than the one that was sent: the router did not accept it, or could not connect with it. */
function withAccessPoint(row: Row, { apn, active }: ReportedProfile): Row {
  if (!active || row.status !== 'In Use' || apn === null) return row;
  const isSent = !awaitsSettings(row) && (row.settingsSent ?? '').includes(JSON.stringify(['X_HIGHLINE_APN', row.apn]));
  if (isSent && apn !== row.apn) return { ...row, reason: row.reason === '' ? APN_RETURNED : row.reason };
  return row.reason === APN_RETURNED ? { ...row, reason: '' } : row;
}

function stateOf(row: Row, active: boolean, isLeft: boolean): Pick<Row, 'status' | 'reason'> {
  const { status, reason } = row;
  // A user requested to switch back to it: that has to be done once the router has left it.
  if (status === 'Deleting...' || (isLeft && isUseRequested(row))) return { status, reason };
  if (active) return { status: 'In Use', reason: status === 'In Use' ? reason : '' };
  if (row.path === null) return { status: 'Activated', reason: '' };
  return { status: status === 'In Use' ? 'Activated' : status, reason };
}

/** Profiles that the router no longer has: deleted on request, or lost. */
function vanished(row: Row): Row[] {
  if (row.path === null || row.step === 'download') return [row];
  if (row.status === 'Deleting...') return [];
  if (row.sealedCode === null && !row.isPreloaded) return [];
  return [{ ...row, ...noEsimStep, path: null, status: 'Fail to download', reason: GONE }];
}

/** Profiles that no user added, in the order in which the router uses them, so that claiming a router does not switch it. */
function takenOver(rows: readonly Row[], unknown: readonly ReportedProfile[], now: Date): Row[] {
  // A profile being downloaded belongs to a row; the end of the step says to which.
  if (rows.some(({ step, path }) => step === 'download' && path === null)) return [];
  const found = unknown.filter(({ preloaded }) => !preloaded);
  const ordered = found.toSorted((a, b) => Number(b.active) - Number(a.active) || (a.priority ?? LAST) - (b.priority ?? LAST));
  const all = rows.map((row) => ({ id: row.id, is_preloaded: row.isPreloaded, priority: row.priority }));
  const taken: Row[] = [];
  for (const profile of ordered) {
    if (!hasCapacity(all, false)) break;
    const row = asItIs(profile, freePriority(all), now);
    all.push({ id: row.id, is_preloaded: false, priority: row.priority });
    taken.push(row);
  }
  return taken;
}

const LAST = esims.MAX_PROFILES + 1;

function asItIs({ path, iccid, name, carrier, apn, apn2, active }: ReportedProfile, priority: number, now: Date): Row {
  return {
    ...noEsimStep,
    id: newId(now.getTime()),
    eid: '',
    isPreloaded: false,
    sealedCode: null,
    sealedConfirmation: null,
    iccid: iccid ?? '',
    apn: apn ?? '',
    apn2: apn2 ?? '',
    name: name ?? '',
    carrier: carrier ?? '',
    status: active ? 'In Use' : 'Activated',
    reason: '',
    priority,
    path,
    settingsSent: null,
    useWindow: null,
    useAuthor: null,
  };
}

/** The EID was typed before the router reported it: a profile for another eUICC is not sent to this one. */
function reconcileEids(rows: readonly Row[], eid: string | null): Row[] {
  if (eid === null) return [...rows];
  return rows.map((row) => {
    if (row.eid === eid) return row;
    const isOpen = row.status === 'Assigning...' && row.path === null && row.step === null && row.eid !== '';
    return isOpen ? { ...row, status: 'Fail to download', reason: 'eid-mismatch' } : { ...row, eid };
  });
}
