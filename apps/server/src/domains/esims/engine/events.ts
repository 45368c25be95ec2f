import { asObjectPath, normalizeIccid } from '@highline/usp';
import type { EsimReport, OperationFailure, ReportedProfile } from '../../../platform/ports/index.ts';
import { noEsimStep, type EsimTimeouts, type Row } from './facts.ts';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import { LONGEST, reasonOf } from './reasons.ts';

/** An event of a step, from its router or from sending it. */
export type EsimStepEvent =
  /** The router began; it will report the end. */
  | { readonly type: 'taken' }
  /** This process has no connection to the router: nothing was sent. */
  | { readonly type: 'undelivered' }
  | { readonly type: 'completed'; readonly outputs: ReadonlyMap<string, string> }
  | { readonly type: 'failed'; readonly failure: OperationFailure };

/** What happened to settings of a profile that were stored as sent. */
export interface SettingsEvent {
  readonly id: string;
  /** As they were stored. */
  readonly sent: string;
  /** `undelivered`: this process has no connection to the router, so nothing was sent. */
  readonly type: 'answered' | 'undelivered';
}

/** A profile after its settings were sent, or not; other settings may have been stored since. Pure. */
export function applySettingsEvent(row: Row, { id, sent, type }: SettingsEvent): Row {
  if (row.id !== id || row.step !== null || row.settingsSent !== sent || row.sends === 0) return row;
  if (type === 'answered') return { ...row, sends: 0, dueAt: null };
  // Its time stays: the router is not tried again and again while it still counts as connected.
  return row.sends === 1 ? { ...row, settingsSent: null } : { ...row, sends: row.sends - 1 };
}

/** A profile after an event of its step. */
export interface AfterStep {
  /** Undefined = the profile is deleted. */
  readonly row: Row | undefined;
  /** The profiles of the router according to its response; undefined = its earlier report stays valid. */
  readonly reported?: EsimReport;
  /** The step is over: the router's state is read again. */
  readonly isOver: boolean;
}

/** How an event of its step changes a profile. Pure. */
export function applyEsimEvent(
  row: Row,
  event: EsimStepEvent,
  reported: EsimReport | null,
  now: Date,
  timeouts: EsimTimeouts,
): AfterStep {
  switch (event.type) {
    case 'taken':
      return { row: taken(row, now, timeouts), isOver: false };
    case 'undelivered':
      // Not sent, for the process that has the connection now or next. One that may have been sent before keeps its time.
      return { row: row.takenAt === null && row.sends <= 1 ? { ...row, sentAt: null, sends: 0 } : row, isOver: false };
    case 'failed':
      return applyFailure(row, event.failure, reported, now, timeouts);
    case 'completed':
      return completed(row, event.outputs, reported);
  }
}

function taken(row: Row, now: Date, { quietMs }: EsimTimeouts): Row {
  if (row.takenAt !== null) return row;
  const status = row.step === 'download' && row.status === 'Assigning...' ? 'Downloading...' : row.status;
  return { ...row, status, takenAt: now, dueAt: new Date(now.getTime() + quietMs) };
}

function applyFailure(
  row: Row,
  failure: OperationFailure,
  reported: EsimReport | null,
  now: Date,
  timeouts: EsimTimeouts,
): AfterStep {
  // Another command is running there: repeat this one later.
  if (failure.cause === 'busy')
    return { row: { ...row, takenAt: null, sends: 0, dueAt: new Date(now.getTime() + timeouts.busyMs) }, isOver: false };
  // An unknown profile needs no deletion.
  if (row.step === 'delete' && failure.cause === 'unsupported') return completed(row, new Map(), reported);
  return { row: failed(row, reasonOf(row.step ?? 'download', failure)), isOver: true };
}

/** A profile whose step failed; undefined when it was being deleted and never reached the router. */
export function failed(row: Row, reason: string): Row | undefined {
  switch (row.step) {
    case 'delete':
      return { ...row, ...noEsimStep, status: 'Activated', reason };
    case 'enable':
      // Silence and an unknown command contradict no report that it is in use; the router's own failure does.
      if (row.status === 'In Use' && (reason === 'no-answer' || reason === 'unsupported')) return { ...row, ...noEsimStep };
      return { ...row, ...noEsimStep, status: row.status === 'Deleting...' ? row.status : 'Fail to activate', reason };
    default:
      if (row.status === 'Deleting...') return undefined;
      return {
        ...row,
        ...noEsimStep,
        path: null,
        status: reason.startsWith('out-of-memory') ? 'Out of memory' : 'Fail to download',
        reason,
      };
  }
}

function completed(row: Row, outputs: ReadonlyMap<string, string>, reported: EsimReport | null): AfterStep {
  switch (row.step) {
    case 'download':
      return downloaded(row, outputs, reported);
    case 'enable': {
      const status = row.status === 'Deleting...' ? row.status : 'In Use';
      const next: Row = { ...row, ...noEsimStep, status, reason: '' };
      return { row: next, isOver: true, ...changed(reported, (profile) => ({ ...profile, active: profile.path === row.path })) };
    }
    default:
      return {
        row: undefined,
        isOver: true,
        ...changed(reported, (profile) => (profile.path === row.path ? undefined : profile)),
      };
  }
}

const PROFILE_PATH = /^Device\.TrustedElements\.SIM\.\d{1,9}\.Profile\.\d{1,9}\.$/u;

function downloaded(row: Row, outputs: ReadonlyMap<string, string>, reported: EsimReport | null): AfterStep {
  const given = asObjectPath(outputs.get('Profile') ?? '');
  const path = PROFILE_PATH.test(given) ? given : '';
  const iccid = normalizeIccid(outputs.get('ICCID') ?? '') ?? row.iccid;
  const carrier = sanitizeLine(outputs.get('Carrier') ?? '', LONGEST) ?? row.carrier;
  const status = row.status === 'Deleting...' ? row.status : 'Activated';
  const next: Row = { ...row, ...noEsimStep, path, iccid, carrier, status, reason: '' };
  if (reported === null || path === '') return { row: next, isOver: true };
  const { isPreloaded: preloaded, name, apn, apn2, priority } = next;
  const known = reported.profiles.find((profile) => profile.path === path);
  const own: ReportedProfile = { path, iccid, active: known?.active ?? false, preloaded, name, carrier, apn, apn2, priority };
  const profiles = [...reported.profiles.filter((profile) => profile !== known), own];
  return { row: next, isOver: true, reported: { ...reported, count: profiles.length, profiles } };
}

function changed(
  reported: EsimReport | null,
  change: (profile: ReportedProfile) => ReportedProfile | undefined,
): { readonly reported?: EsimReport } {
  if (reported === null) return {};
  const profiles = reported.profiles.flatMap((profile) => change(profile) ?? []);
  return { reported: { ...reported, count: profiles.length, profiles } };
}
