import { newId } from '../../../kernel/ids.ts';
import { failed } from './events.ts';
import type { EsimTimeouts, EsimWork, Row, StepKind } from './facts.ts';
import { isUseWaiting } from '../lineup.ts';
import { settingsText, type EsimStep } from './plan.ts';
import { OFFLINE } from './reasons.ts';

/** A request to a router, sent once its profiles are committed. */
export type EsimRequest =
  | { readonly type: 'operate'; readonly row: Row; readonly step: StepKind; readonly simPath: string }
  | { readonly type: 'set'; readonly id: string; readonly path: string; readonly values: ReadonlyMap<string, string> }
  | { readonly type: 'refresh' };

/** The profiles of a router after a step, and the request to it. */
export interface AppliedEsimStep {
  readonly rows: readonly Row[];
  readonly request: EsimRequest | undefined;
}

/** Write a step into the profiles of its router. Pure, except for the new step's key. */
export function applyEsimStep(
  work: EsimWork,
  step: EsimStep,
  now: Date,
  { responseMs, windowMs }: EsimTimeouts,
): AppliedEsimStep {
  const { rows } = work;
  const dueAt = new Date(now.getTime() + responseMs);
  switch (step.type) {
    case 'keep':
      return { rows: withoutRequests(rows, step.superseded), request: undefined };
    case 'wait':
      return {
        rows: rows.map((row) => ({ ...row, dueAt: null, reason: isUseWaiting(row) ? OFFLINE : row.reason })),
        request: undefined,
      };
    case 'unsupported':
      return { rows: rows.map((row) => unsupported(row)), request: undefined };
    case 'begin': {
      const { row, kind, superseded } = step;
      const stepKey = `esim-${newId(now.getTime())}`;
      const begun = { ...row, reason: '', step: kind, stepKey, begunAt: now, sentAt: now, takenAt: null, sends: 1, dueAt };
      return send(work, withoutRequests(rows, superseded), row, begun);
    }
    case 'delay': {
      const { row, closed, superseded } = step;
      const again = closed.until?.getTime() ?? now.getTime() + windowMs;
      const end = row.useAuthor?.until;
      const waits = {
        ...row,
        dueAt: new Date(end === undefined ? again : Math.min(again, Date.parse(end))),
        reason: `window-${closed.waits}`,
      };
      return { rows: replaced(withoutRequests(rows, superseded), row, waits), request: undefined };
    }
    case 'withdraw':
      return {
        rows: replaced(rows, step.row, { ...step.row, status: 'Activated', reason: step.reason, dueAt: null }),
        request: undefined,
      };
    case 'resend': {
      const { row, isBack } = step;
      return send(work, rows, row, { ...row, sentAt: now, takenAt: null, sends: isBack ? 1 : row.sends + 1, dueAt });
    }
    case 'end':
      return { rows: replaced(rows, step.row, failed(step.row, step.reason)), request: { type: 'refresh' } };
    case 'set': {
      const { row, path, values } = step;
      const settingsSent = settingsText(values);
      const sent = { ...row, settingsSent, sends: settingsSent === row.settingsSent ? row.sends + 1 : 1, dueAt };
      return { rows: replaced(rows, row, sent), request: { type: 'set', id: row.id, path, values } };
    }
    case 'check':
      return { rows, request: { type: 'refresh' } };
  }
}

function send({ reported }: EsimWork, rows: readonly Row[], before: Row, row: Row): AppliedEsimStep {
  const simPath = reported?.path ?? '';
  return { rows: replaced(rows, before, row), request: { type: 'operate', row, step: row.step!, simPath } };
}

function replaced(rows: readonly Row[], before: Row, after: Row | undefined): Row[] {
  return rows.flatMap((row) => (row === before ? (after ?? []) : [row]));
}

/** Profiles of which the request to switch to them no longer counts. */
function withoutRequests(rows: readonly Row[], superseded: readonly Row[] = []): readonly Row[] {
  return rows.map((row) => (superseded.includes(row) ? { ...row, status: 'Activated', reason: '' } : row));
}

function unsupported(row: Row): Row {
  const reason = 'unsupported';
  if (row.status === 'Assigning...')
    return { ...row, status: row.path === null ? 'Fail to download' : 'Fail to activate', reason };
  return row.status === 'Deleting...' ? { ...row, status: 'Activated', reason } : row;
}
