import type { WindowClosed } from '../../windows/index.ts';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import { isUseRequested, isUseWaiting } from '../lineup.ts';
import { awaitsSettings, type EsimTimeouts, type EsimWork, type Row, type StepKind } from './facts.ts';
import { EXPIRED, NOT_ALLOWED } from './reasons.ts';

/** The next action for one router. */
export type EsimStep =
  /** An event or some time must come first. */
  | { readonly type: 'keep'; readonly superseded?: readonly Row[] }
  /** Offline routers are waited for without limit. */
  | { readonly type: 'wait' }
  /** A router without the commands can never do it. */
  | { readonly type: 'unsupported' }
  /** Send a new step. `superseded`: other profiles that a user requested to switch to. */
  | { readonly type: 'begin'; readonly row: Row; readonly kind: StepKind; readonly superseded?: readonly Row[] }
  /** Send the stored step again. `isBack`: the router was away, so its silence does not count. */
  | { readonly type: 'resend'; readonly row: Row; readonly isBack: boolean }
  | { readonly type: 'end'; readonly row: Row; readonly reason: 'no-answer' }
  /** Set access points, name and position of a profile. */
  | { readonly type: 'set'; readonly row: Row; readonly path: string; readonly values: ReadonlyMap<string, string> }
  /** The switch that is requested waits until its window opens. */
  | { readonly type: 'delay'; readonly row: Row; readonly closed: WindowClosed; readonly superseded: readonly Row[] }
  /** Who requested the switch may not do so any more, or it has not begun in time. */
  | { readonly type: 'withdraw'; readonly row: Row; readonly reason: string }
  /** Ask the router what it has now. */
  | { readonly type: 'check' };

/**
 * Desired minus reported: the only function that decides what a router does next (docs/domains/esims.md). One thing
 * at a time: the step under way, deletions, downloads, settings, the switch. Pure.
 */
export function nextEsimStep(work: EsimWork, isBack: boolean, now: Date, timeouts: EsimTimeouts): EsimStep {
  const { rows, reported } = work;
  if (!work.isOnline) return { type: 'wait' };
  const open = rows.find(({ step }) => step !== null);
  if (open !== undefined) return underWay(open, isBack, now, timeouts);
  if (work.supported === undefined) return { type: 'keep' };
  if (!work.supported || reported === null) return { type: 'unsupported' };
  const byPriority = rows.toSorted((a, b) => a.priority - b.priority);
  const deleting = byPriority.find(({ status }) => status === 'Deleting...');
  if (deleting !== undefined) return { type: 'begin', row: deleting, kind: 'delete' };
  const pending = byPriority.find(({ status, path }) => status === 'Assigning...' && path === null);
  if (pending !== undefined) return { type: 'begin', row: pending, kind: 'download' };
  // The order of the cards may still change, or settings are under way.
  if (rows.some((row) => row.dueAt !== null && row.dueAt > now && !waitsForWindow(row))) return { type: 'keep' };
  return settings(rows, reported) ?? switchOver(byPriority, reported, work, now);
}

/** Deleted profiles that never reached the router need no step. */
export function withoutNeverThere(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ status, path, step }) => status !== 'Deleting...' || path !== null || step !== null);
}

/** The switch to it is requested and has its time: nothing else waits for it. */
export const waitsForWindow = (row: Row): boolean => isUseWaiting(row) && row.useWindow !== null && !awaitsSettings(row);

export const isDue = ({ dueAt }: Row, now: Date): boolean => dueAt !== null && dueAt <= now;

/** A step that was just sent is under way: another report of the router does not repeat it. */
const RESEND_GAP_MS = 1_000;

/** A step is sent again when its router is back, or when it showed no progress for too long. */
function underWay(row: Row, isBack: boolean, now: Date, timeouts: EsimTimeouts): EsimStep {
  const isAgain = isBack && !(row.sentAt !== null && isSentLately(row.sentAt, now, timeouts));
  if (!isAgain && !isDue(row, now)) return { type: 'keep' };
  if (!isAgain && row.sends >= timeouts.sends) return { type: 'end', row, reason: 'no-answer' };
  return { type: 'resend', row, isBack: isAgain };
}

function isSentLately(sentAt: Date, now: Date, { since }: EsimTimeouts): boolean {
  return now.getTime() - sentAt.getTime() < RESEND_GAP_MS && (since === undefined || sentAt >= since);
}

/** Access points, names and positions of one profile that the router does not have yet. */
function settings(rows: readonly Row[], { profiles }: EsimReport): EsimStep | undefined {
  for (const row of rows) {
    const profile = profiles.find(({ path }) => path === row.path);
    if (profile === undefined) continue;
    const values = differences(row, profile);
    const isSent = settingsText(values) === row.settingsSent && !awaitsSettings(row);
    if (values.size > 0 && !isSent) return { type: 'set', row, path: profile.path, values };
  }
  return undefined;
}

/** Settings as they are stored: those that the router has answered are not sent again. */
export function settingsText(values: ReadonlyMap<string, string>): string {
  return JSON.stringify([...values]);
}

function differences(row: Row, { apn, apn2, name, priority }: ReportedProfile): Map<string, string> {
  const values = new Map<string, string>();
  if (apn !== null && apn !== row.apn && row.apn !== '') values.set('X_HIGHLINE_APN', row.apn);
  if (apn2 !== null && apn2 !== row.apn2) values.set('X_HIGHLINE_APN2', row.apn2);
  if (name !== null && row.name !== '' && name !== row.name) values.set('Name', row.name);
  if (priority !== null && priority !== row.priority) values.set('X_HIGHLINE_Priority', String(row.priority));
  return values;
}

/**
 * Switch to the profile that a user requested, and for no other reason: neither a new profile nor a new order disconnects a
 * router by itself. A new request replaces the earlier one when it is made; if there are two anyway, the first counts.
 */
function switchOver(byPriority: readonly Row[], { profiles }: EsimReport, { closed, mayUse }: EsimWork, now: Date): EsimStep {
  const [first, ...superseded] = byPriority.filter((row) => isUseRequested(row));
  const isInUse = first === undefined || profiles.some(({ path, active }) => active && path === first.path);
  if (isInUse || first.path === '') return { type: 'keep', superseded };
  if (mayUse === false) return { type: 'withdraw', row: first, reason: NOT_ALLOWED };
  const until = first.useAuthor?.until;
  if (until !== undefined && Date.parse(until) <= now.getTime()) return { type: 'withdraw', row: first, reason: EXPIRED };
  if (closed !== undefined) return { type: 'delay', row: first, closed, superseded };
  return { type: 'begin', row: first, kind: 'enable', superseded };
}
