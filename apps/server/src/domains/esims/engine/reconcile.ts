import type { EsimReport } from '../../../platform/ports/device-link.ts';
import { applyEsimStep, type EsimRequest } from './apply.ts';
import { compare } from './compare.ts';
import { applyEsimEvent, applySettingsEvent, type EsimStepEvent, type SettingsEvent } from './events.ts';
import type { EsimTimeouts, EsimWork, Row } from './facts.ts';
import { isDue, nextEsimStep, withoutNeverThere } from './plan.ts';
import { OFFLINE } from './reasons.ts';

/** An event of a router. */
export interface EsimEvent {
  readonly routerId: string;
  /** It reconnected, or its report changed. */
  readonly isBack?: boolean;
  /** An event of the step with this key. */
  readonly step?: { readonly key: string; readonly event: EsimStepEvent };
  /** What happened to settings that it was sent. */
  readonly settings?: SettingsEvent;
}

/** A router after reconciling. */
export interface ReconciledEsims {
  readonly rows: readonly Row[];
  /** The profiles of the router according to the end of a step; undefined = its earlier report stays valid. */
  readonly reported: EsimReport | undefined;
  readonly request: EsimRequest | undefined;
}

/**
 * Reconcile the profiles of one router: first its events, then its report, then the one next step. Pure except for the keys of
 * new steps.
 */
export function reconcileEsims(work: EsimWork, events: readonly EsimEvent[], now: Date, timeouts: EsimTimeouts): ReconciledEsims {
  const isExamined = (row: Row) => row.step === null && isDue(row, now) && !work.isHeldElsewhere;
  const examined = work.rows.map((row) => (isExamined(row) ? { ...row, dueAt: null } : row));
  const isBackOnline = ({ reason }: Row) => work.isOnline && reason === OFFLINE;
  let rows: readonly Row[] = examined.map((row) => (isBackOnline(row) ? { ...row, reason: '' } : row));
  let { reported } = work;
  let isOver = false;
  for (const { step, settings } of events) {
    if (settings !== undefined) rows = rows.map((row) => applySettingsEvent(row, settings));
    isOver ||= settings?.type === 'answered';
    const row = rows.find(({ stepKey }) => step !== undefined && stepKey === step.key);
    if (row === undefined || step === undefined) continue;
    const after = applyEsimEvent(row, step.event, reported, now, timeouts);
    rows = rows.flatMap((each) => (each === row ? (after.row ?? []) : [each]));
    reported = after.reported ?? reported;
    isOver ||= after.isOver;
  }
  // A report from before the end of a step says nothing about the end.
  if (reported !== null && (!isOver || reported !== work.reported)) rows = compare(rows, reported, now);
  const stated = reported === work.reported ? undefined : (reported ?? undefined);
  if (work.isHeldElsewhere) return { rows: handOver(rows, isOver, now), reported: stated, request: undefined };
  const isBack = events.some((each) => each.isBack === true);
  const current = { ...work, rows: isOver ? rows : withoutNeverThere(rows), reported };
  const step = isOver ? ({ type: 'check' } as const) : nextEsimStep(current, isBack, now, timeouts);
  const applied = applyEsimStep(current, step, now, timeouts);
  return { ...applied, reported: stated };
}

/** The node that holds the router takes the step that follows, or the one that was not sent, at once. */
function handOver(rows: readonly Row[], isOver: boolean, now: Date): readonly Row[] {
  const isNext = (row: Row) => (row.step === null ? isOver : row.sentAt === null);
  return rows.map((row) => (isNext(row) ? { ...row, dueAt: now } : row));
}
