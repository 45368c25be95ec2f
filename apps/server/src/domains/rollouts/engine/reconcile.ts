import { rollouts } from '@highline/contract';
import { applyRolloutStep, hasChanged, type AppliedRolloutStep, type RolloutRequest } from './apply.ts';
import type { RolloutWork } from './engine.store.ts';
import type { Facts, RolloutTimeouts, Target } from './facts.ts';
import { applyRolloutEvent, progress, type RolloutStepEvent } from './events.ts';
import { isStaged, checkOutcome, heldBack, nextRolloutStep, type RolloutStep } from './plan.ts';

/** An event of a router. */
export interface RolloutEvent {
  readonly routerId: string;
  /** An event of the step with this key. */
  readonly step?: { readonly key: string; readonly event: RolloutStepEvent };
  /** A parameter of a slot changed. */
  readonly progress?: { readonly path: string; readonly value: string };
}

/** A target after the pass. */
export interface ReconciledRollout {
  readonly work: RolloutWork;
  readonly target: Target;
  readonly request: RolloutRequest['type'] | undefined;
}

interface Current {
  readonly work: RolloutWork;
  target: Target;
  isChecked: boolean;
  /** Its request found no connection: it waits for the router, or for the node that has it. */
  isUndelivered: boolean;
  /** An event of it came. */
  hasEvent: boolean;
}

/**
 * Reconcile the targets of one router: first its events, then the next steps, one at a time, firmware before config.
 * @param works all targets of active bindings of this router
 */
export function reconcileRollouts(
  works: readonly RolloutWork[],
  events: readonly RolloutEvent[],
  now: Date,
  timeouts: RolloutTimeouts,
): ReconciledRollout[] {
  const all: Current[] = works.map((work) => ({
    work,
    target: work.target,
    isChecked: false,
    isUndelivered: false,
    hasEvent: false,
  }));
  for (const each of events) for (const current of all) applyEvent(current, each, now, timeouts);
  // Running steps continue before a new one begins.
  const order = all.toSorted((a, b) => rank(a) - rank(b));
  return order.map((current) => {
    const others = all.filter((other) => other !== current);
    const applied = current.work.isHeldElsewhere
      ? handOver(current, now)
      : takeStep(current, withPlace(current, stepOf(current, others, now, timeouts), now, timeouts), now, timeouts);
    const isChanged = hasChanged(current.work.target, applied.target);
    current.target = { ...keepPlace(current.work, applied.target), ...(isChanged ? { updatedAt: now } : {}) };
    return { work: current.work, target: current.target, request: applied.request };
  });
}

function takeStep({ work, target }: Current, step: RolloutStep, now: Date, timeouts: RolloutTimeouts): AppliedRolloutStep {
  return applyRolloutStep(work, target, step, now, timeouts);
}

/** A place ends with its download, and where the node that holds the router did not begin one. */
function keepPlace({ isHeldElsewhere, target: before }: RolloutWork, target: Target): Target {
  const isKept = target.phase === 'sent' || (isHeldElsewhere && before.phase === 'idle');
  return isKept ? target : { ...target, downloadSince: null };
}

/** The node that holds the router looks at what changed here. */
function handOver({ target, hasEvent }: Current, now: Date): AppliedRolloutStep {
  return { target: hasEvent ? { ...target, dueAt: now } : target, request: undefined };
}

function rank({ work, target }: Current): number {
  if (isMoving({ work, target })) return 0;
  return rollouts.rolloutKinds.indexOf(work.desired.kind) + 1;
}

/** What is downloaded and may not be chosen yet holds up nothing else, once it is not chosen any more. */
function isMoving({ work: { desired }, target }: Pick<Current, 'work' | 'target'>): boolean {
  const { phase, sends } = target;
  return (
    phase === 'sent' ||
    phase === 'applied' ||
    (phase === 'downloaded' && (sends > 0 || heldBack({ desired, target }) === undefined))
  );
}

function applyEvent(
  current: Current,
  { step, progress: reportedProgress }: RolloutEvent,
  now: Date,
  timeouts: RolloutTimeouts,
): void {
  const { work, target } = current;
  if (step !== undefined && step.key === target.stepKey) {
    const { desired, reported } = work;
    const context = { kind: desired.kind, staged: isStaged(work), reported, now, timeouts };
    current.isChecked ||= step.event.type === 'checked';
    current.isUndelivered ||= step.event.type === 'undelivered';
    current.hasEvent = true;
    current.target = { ...target, ...applyRolloutEvent(target, step.event, context) };
  } else if (reportedProgress !== undefined && target.slot !== null && reportedProgress.path.startsWith(target.slot))
    current.target = { ...target, ...progress(target, reportedProgress.path.slice(target.slot.length), reportedProgress.value) };
}

function stepOf(
  { work, target, isChecked, isUndelivered }: Current,
  others: readonly Current[],
  now: Date,
  timeouts: RolloutTimeouts,
): RolloutStep {
  if (isUndelivered && target.phase === 'idle')
    return { type: 'wait', reason: 'offline', until: new Date(now.getTime() + timeouts.responseMs) };
  const facts: Facts = { ...work, target, isBusy: work.isReverting || others.some((other) => isAhead(other)) };
  const awaitsCheck = target.phase === 'applied' || target.phase === 'staged';
  return isChecked && awaitsCheck ? checkOutcome(facts, now, timeouts) : nextRolloutStep(facts, now, timeouts);
}

/** Under way, or firmware that waits for a download slot only. */
function isAhead({ work, target }: Current): boolean {
  return (
    isMoving({ work, target }) || (work.desired.kind === 'firmware' && target.reason === 'queued' && target.state === 'waiting')
  );
}

/** Without a place among the downloads the router waits until it has one. */
function withPlace({ work, target }: Current, step: RolloutStep, now: Date, { placeMs }: RolloutTimeouts): RolloutStep {
  // Settings are no download.
  if (step.type !== 'begin' || work.desired.kind === 'settings') return step;
  const isClaimed = target.downloadSince !== null && now.getTime() - target.downloadSince.getTime() < placeMs;
  return isClaimed ? step : { type: 'wait', reason: 'queued' };
}
