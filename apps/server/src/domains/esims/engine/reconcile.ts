import { newId } from '../../../kernel/ids.ts';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import { compare } from './compare.ts';
import type { EsimTimeouts, Row, EsimStep, EsimWork } from './facts.ts';
import { isUseRequested } from '../lineup.ts';
import { failed, applyEsimEvent, type EsimStepEvent } from './events.ts';

/** An event of a router. */
export interface EsimRouterEvent {
  readonly routerId: string;
  /** It reconnected, or its report changed. */
  readonly isBack?: boolean;
  /** An event of the step with this key. */
  readonly step?: { readonly key: string; readonly event: EsimStepEvent };
}

/** A request to a router, sent after its commit. */
export type EsimAction =
  | { readonly type: 'operate'; readonly row: Row; readonly step: EsimStep; readonly simPath: string }
  | { readonly type: 'set'; readonly path: string; readonly values: ReadonlyMap<string, string> }
  | { readonly type: 'refresh' };

/** A router after reconciling. */
export interface ReconciledEsims {
  readonly rows: readonly Row[];
  /** The profiles of the router according to the end of a step; undefined = its earlier report stays valid. */
  readonly reported: EsimReport | undefined;
  readonly action: EsimAction | undefined;
}

/**
 * Reconcile the profiles of one router: first its events, then its report, then the one next step. Pure except for the keys of
 * new steps.
 */
export function reconcileEsims(
  work: EsimWork,
  events: readonly EsimRouterEvent[],
  now: Date,
  timeouts: EsimTimeouts,
): ReconciledEsims {
  let rows: readonly Row[] = work.rows.map((row) => (row.step === null && isDue(row, now) ? { ...row, dueAt: null } : row));
  let { reported } = work;
  let isOver = false;
  for (const { step } of events) {
    const row = rows.find(({ stepKey }) => step !== undefined && stepKey === step.key);
    if (row === undefined || step === undefined) continue;
    const after = applyEsimEvent(row, step.event, reported, now, timeouts);
    rows = rows.flatMap((each) => (each === row ? (after.row ?? []) : [each]));
    reported = after.reported ?? reported;
    isOver ||= after.isOver;
  }
  // A report from before the end of a step says nothing about the end.
  if (reported !== null && (!isOver || reported !== work.reported)) rows = compare(rows, reported, now);
  const isBack = events.some((each) => each.isBack === true);
  const next = isOver
    ? { rows, action: { type: 'refresh' } as const }
    : nextStep({ ...work, rows, reported }, isBack, now, timeouts);
  return { ...next, reported: reported === work.reported ? undefined : (reported ?? undefined) };
}

type Next = Pick<ReconciledEsims, 'rows' | 'action'>;

const isDue = ({ dueAt }: Row, now: Date) => dueAt !== null && dueAt <= now;

/** One thing at a time: the step under way, deletions, downloads, settings, the switch. */
function nextStep(work: EsimWork, isBack: boolean, now: Date, timeouts: EsimTimeouts): Next {
  const rows = withoutNeverThere(work.rows);
  const open = rows.find(({ step }) => step !== null);
  // Offline routers are waited for without limit.
  if (!work.isOnline) return { rows: rows.map((row) => ({ ...row, dueAt: null })), action: undefined };
  if (open !== undefined) return goOn({ ...work, rows }, open, isBack, now, timeouts);
  if (work.supported === undefined) return { rows, action: undefined };
  if (!work.supported || work.reported === null) return { rows: rows.map(unsupported), action: undefined };
  const byPriority = rows.toSorted((a, b) => a.priority - b.priority);
  const deleting = byPriority.find(({ status }) => status === 'Deleting...');
  if (deleting !== undefined) return begin({ ...work, rows }, deleting, 'delete', now, timeouts);
  const pending = byPriority.find(({ status, path }) => status === 'Assigning...' && path === null);
  if (pending !== undefined) return begin({ ...work, rows }, pending, 'download', now, timeouts);
  // The order of the cards may still change.
  if (rows.some(({ dueAt }) => dueAt !== null && dueAt > now)) return { rows, action: undefined };
  return settings({ ...work, rows }, work.reported) ?? switchOver({ ...work, rows }, work.reported, now, timeouts);
}

/** Deleted profiles that never reached the router. */
function withoutNeverThere(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ status, path, step }) => status !== 'Deleting...' || path !== null || step !== null);
}

/** A router without the commands can never do it. */
function unsupported(row: Row): Row {
  const reason = 'unsupported';
  if (row.status === 'Assigning...')
    return { ...row, status: row.path === null ? 'Fail to download' : 'Fail to activate', reason };
  return row.status === 'Deleting...' ? { ...row, status: 'Activated', reason } : row;
}

/** A step that was just sent is under way: another report of the router does not repeat it. */
const RESEND_GAP_MS = 1_000;

/** A step is sent again when its router is back, or when it showed no progress for too long. */
function goOn(work: EsimWork, open: Row, isBack: boolean, now: Date, timeouts: EsimTimeouts): Next {
  const isSentLately = open.sentAt !== null && sentLately(open.sentAt, now, timeouts);
  const isAgain = isBack && !isSentLately;
  if (!isAgain && !isDue(open, now)) return { rows: work.rows, action: undefined };
  if (!isAgain && open.sends >= timeouts.sends) {
    const after = failed(open, 'no-answer');
    return { rows: replaced(work.rows, open, after), action: { type: 'refresh' } };
  }
  const dueAt = new Date(now.getTime() + timeouts.answerMs);
  return send(work, open, { ...open, sentAt: now, takenAt: null, sends: isAgain ? 1 : open.sends + 1, dueAt });
}

function sentLately(sentAt: Date, now: Date, { since }: EsimTimeouts): boolean {
  return now.getTime() - sentAt.getTime() < RESEND_GAP_MS && (since === undefined || sentAt >= since);
}

function begin(work: EsimWork, row: Row, step: EsimStep, now: Date, { answerMs }: EsimTimeouts): Next {
  const dueAt = new Date(now.getTime() + answerMs);
  const stepKey = `esim-${newId(now.getTime())}`;
  return send(work, row, { ...row, step, stepKey, begunAt: now, sentAt: now, takenAt: null, sends: 1, dueAt });
}

function send(work: EsimWork, before: Row, row: Row): Next {
  const simPath = work.reported?.path ?? '';
  return { rows: replaced(work.rows, before, row), action: { type: 'operate', row, step: row.step!, simPath } };
}

function replaced(rows: readonly Row[], before: Row, after: Row | undefined): Row[] {
  return rows.flatMap((row) => (row === before ? (after ?? []) : [row]));
}

/** Access points, names and positions of one profile that the router does not have yet. */
function settings(work: EsimWork, reported: EsimReport): Next | undefined {
  for (const row of work.rows) {
    const profile = reported.profiles.find(({ path }) => path === row.path);
    if (profile === undefined) continue;
    const values = differences(row, profile);
    const settingsSent = values.size === 0 ? null : JSON.stringify([...values]);
    if (values.size === 0 || settingsSent === row.settingsSent) continue;
    return { rows: replaced(work.rows, row, { ...row, settingsSent }), action: { type: 'set', path: profile.path, values } };
  }
  return undefined;
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
 * router by itself.
 */
function switchOver(work: EsimWork, reported: EsimReport, now: Date, timeouts: EsimTimeouts): Next {
  const requested = work.rows.filter((row) => isUseRequested(row)).toSorted((a, b) => a.priority - b.priority);
  const [first] = requested;
  // A new request replaces the earlier one when it is made; if there are two anyway, one of them counts.
  const rows = work.rows.map((row) =>
    row !== first && requested.includes(row) ? { ...row, status: 'Activated' as const } : row,
  );
  const isInUse = first === undefined || reported.profiles.some(({ path, active }) => active && path === first.path);
  if (isInUse || first.path === '') return { rows, action: undefined };
  return begin({ ...work, rows }, first, 'enable', now, timeouts);
}
