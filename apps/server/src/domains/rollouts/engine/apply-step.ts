import { newId } from '../../../kernel/ids.ts';
import type { Work } from './engine.store.ts';
import type { Timeouts, Target } from './facts.ts';
import { noStep, type Change } from './events.ts';
import type { Step } from './next-step.ts';

/** A request to a router, sent once its target is committed. */
export interface StepAction {
  readonly type: 'send' | 'choose' | 'check';
  readonly work: Work;
  readonly target: Target;
}

/** A target after a step, and the request to its router. */
export interface AppliedStep {
  readonly target: Target;
  readonly action: StepAction['type'] | undefined;
}

/** Write a step into its target. Pure, except for the new step's key. */
export function applyStep(work: Work, target: Target, step: Step, now: Date, { answerMs }: Timeouts): AppliedStep {
  const answerBy = new Date(now.getTime() + answerMs);
  const become = (change: Change, action?: StepAction['type']): AppliedStep => ({
    target: { ...target, dueAt: null, ...change },
    action,
  });
  switch (step.type) {
    case 'keep':
      return become({});
    case 'stay':
      return become({ dueAt: step.until ?? null });
    case 'wait':
      return become({ state: 'waiting', reason: step.reason, dueAt: step.until ?? null });
    case 'end':
      return become({ ...noStep, ...endOf(step, target) });
    case 'begin':
      return become({ ...begun(work, target, step.slot, now), dueAt: answerBy }, 'send');
    case 'resend':
      return become({ sentAt: now, takenAt: null, sends: step.isBack ? 1 : target.sends + 1, dueAt: answerBy }, 'send');
    case 'choose':
    case 'check':
      return become({ dueAt: answerBy }, step.type);
  }
}

function endOf({ state, reason }: Extract<Step, { type: 'end' }>, { percent }: Target): Change {
  return { state, reason, percent: state === 'successful' ? 100 : percent };
}

function begun({ desired, reported }: Work, { attempt }: Target, slot: string, now: Date): Change {
  const checksSignature = desired.kind === 'firmware' && desired.isSigned && reported.ota?.signature === true;
  return {
    phase: 'sent',
    state: 'downloading',
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
    checkedBy: checksSignature ? 'sha256+signature' : 'sha256',
  };
}

/** Whether users see the difference. */
export function hasChanged(before: Target, after: Target): boolean {
  const { state, reason, percent, attempt } = before;
  return state !== after.state || reason !== after.reason || percent !== after.percent || attempt !== after.attempt;
}
