import type { rollouts } from '@highline/contract';
import { newId } from '../../../kernel/ids.ts';
import { differenceOf } from '../is-active.ts';
import type { RolloutWork } from './engine.store.ts';
import { isFinished, noRolloutStep, type RolloutTimeouts, type Target } from './facts.ts';
import { awaitingStart, type Change } from './events.ts';
import { answerTime, type RolloutStep } from './plan.ts';

/** A request to a router, sent once its target is committed. */
export interface RolloutRequest {
  readonly type: 'send' | 'choose' | 'revert' | 'check';
  readonly work: RolloutWork;
  readonly target: Target;
}

/** A target after a step, and the request to its router. */
export interface AppliedRolloutStep {
  readonly target: Target;
  readonly request: RolloutRequest['type'] | undefined;
}

/** Write a step into its target. Pure, except for the new step's key. */
export function applyRolloutStep(
  work: RolloutWork,
  target: Target,
  step: RolloutStep,
  now: Date,
  timeouts: RolloutTimeouts,
): AppliedRolloutStep {
  const respondBy = new Date(now.getTime() + answerTime(work.desired, timeouts));
  const become = (change: Change, request?: RolloutRequest['type']): AppliedRolloutStep => ({
    target: { ...target, dueAt: null, ...change },
    request,
  });
  switch (step.type) {
    case 'keep':
      return become({});
    case 'stay':
      return become({ dueAt: step.until ?? null });
    case 'wait':
      return become({
        state: 'waiting',
        reason: step.reason,
        dueAt: step.until ?? null,
        // What else it waits for is no sign that its router is busy.
        ...(step.reason === 'queued' ? {} : { busySince: null }),
        ...(mayNotBegin(step.reason) || isFinished(target) ? { madeAt: now } : {}),
      });
    case 'end':
      return become({ ...noRolloutStep, ...endOf(step, work, target) });
    case 'begin':
      return become({ ...begun(work, target, step.slot, now), dueAt: respondBy }, 'send');
    case 'resend':
      return become({ sentAt: now, takenAt: null, ...countOf(step, target), dueAt: respondBy }, 'send');
    case 'choose':
      return become({ state: 'applying', reason: null, begunAt: now, sends: 1, dueAt: respondBy }, step.type);
    case 'revert': {
      // A router that rejected it before still starts the firmware.
      const reason = target.reason === 'not-reverted' ? target.reason : 'next-boot';
      return become({ phase: 'downloaded', state: 'waiting', reason, sentAt: now, sends: 1, dueAt: respondBy }, step.type);
    }
    case 'check':
      return become({ ...(target.phase === 'sent' ? awaitingStart(now) : {}), dueAt: respondBy }, step.type);
  }
}

/** What ends without a boot of the router: only a later boot is one that the schedule waits for. */
function mayNotBegin(reason: rollouts.RolloutReason | null): boolean {
  return reason === 'canaries-first' || reason === 'later-wave' || reason === 'not-subscribed';
}

function countOf({ after }: Extract<RolloutStep, { type: 'resend' }>, { sends, interruptions }: Target): Change {
  // 0: the end of the interrupted attempt may be reported yet, and is counted here.
  if (after === 'interruption') return { sends: 0, interruptions: interruptions + 1, busySince: null };
  return after === 'absence' ? { sends: 1, busySince: null } : { sends: sends + 1 };
}

function endOf(
  { state, reason }: Extract<RolloutStep, { type: 'end' }>,
  { desired, reported }: RolloutWork,
  { percent }: Target,
): Change {
  const detail = reason === 'not-in-force' ? differenceOf(desired, reported) : null;
  return { state, reason, detail, percent: state === 'successful' ? 100 : percent };
}

function begun({ desired, reported }: RolloutWork, { attempt }: Target, slot: string, now: Date): Change {
  const checksSignature = desired.kind === 'firmware' && desired.isSigned && reported.ota?.signature === true;
  return {
    phase: 'sent',
    state: desired.kind === 'settings' ? 'applying' : 'downloading',
    reason: null,
    percent: 0,
    attempt: attempt + 1,
    stepKey: newId(now.getTime()),
    slot,
    begunAt: now,
    sentAt: now,
    takenAt: null,
    sends: 1,
    interruptions: 0,
    checkedBy: desired.kind === 'settings' ? null : checksSignature ? 'sha256+signature' : 'sha256',
  };
}

/** Whether users see the difference. */
export function hasChanged(before: Target, after: Target): boolean {
  const { state, reason, detail, percent, attempt } = before;
  if (detail !== after.detail) return true;
  return state !== after.state || reason !== after.reason || percent !== after.percent || attempt !== after.attempt;
}
