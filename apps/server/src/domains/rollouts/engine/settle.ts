import { carryOut, isNews, type Action } from './carry-out.ts';
import type { Work } from './engine.store.ts';
import type { Facts, Patience, Target } from './facts.ts';
import { hear, progress, type Heard } from './hear.ts';
import { isStaged, judge, nextStep, type Step } from './next-step.ts';

/** An event of a router. */
export interface RouterNews {
  readonly routerId: string;
  /** An event of the step with this key. */
  readonly step?: { readonly key: string; readonly heard: Heard };
  /** A parameter of a slot changed. */
  readonly progress?: { readonly path: string; readonly value: string };
}

/** A target after the pass. */
export interface Settled {
  readonly work: Work;
  readonly target: Target;
  readonly action: Action['type'] | undefined;
}

/** Download slots. */
export interface Places {
  free: number;
}

interface Current {
  readonly work: Work;
  target: Target;
  isChecked: boolean;
}

/**
 * Reconcile the targets of one router: first its events, then the next steps, one at a time, firmware before config.
 * @param works all targets of active bindings of this router
 */
export function settleRouter(
  works: readonly Work[],
  news: readonly RouterNews[],
  places: Places,
  now: Date,
  patience: Patience,
): Settled[] {
  const all: Current[] = works.map((work) => ({ work, target: work.target, isChecked: false }));
  for (const each of news) for (const current of all) take(current, each, now, patience);
  // Running steps continue before a new one begins.
  const order = all.toSorted((a, b) => rank(a) - rank(b));
  return order.map((current) => {
    const others = all.filter((other) => other !== current);
    const step = withPlace(stepOf(current, others, now, patience), places);
    const carried = carryOut(current.work, current.target, step, now, patience);
    const isChanged = isNews(current.work.target, carried.target);
    current.target = isChanged ? { ...carried.target, updatedAt: now } : carried.target;
    return { work: current.work, target: current.target, action: carried.action };
  });
}

function rank({ work, target }: Current): number {
  if (isMoving(target)) return 0;
  return work.desired.kind === 'firmware' ? 1 : 2;
}

function isMoving({ phase }: Target): boolean {
  return phase === 'sent' || phase === 'downloaded' || phase === 'applied';
}

function take(current: Current, { step, progress: told }: RouterNews, now: Date, patience: Patience): void {
  const { work, target } = current;
  if (step !== undefined && step.key === target.stepKey) {
    const { desired, reported } = work;
    const context = { kind: desired.kind, staged: isStaged(work), reported, now, patience };
    current.isChecked ||= step.heard.type === 'checked';
    current.target = { ...target, ...hear(target, step.heard, context) };
  } else if (told !== undefined && target.slot !== null && told.path.startsWith(target.slot))
    current.target = { ...target, ...progress(target, told.path.slice(target.slot.length), told.value) };
}

function stepOf({ work, target, isChecked }: Current, others: readonly Current[], now: Date, patience: Patience): Step {
  const facts: Facts = { ...work, target, isBusy: work.isTakingBack || others.some((other) => isAhead(other)) };
  const awaitsCheck = target.phase === 'applied' || target.phase === 'staged';
  return isChecked && awaitsCheck ? judge(facts, now, patience) : nextStep(facts, now, patience);
}

/** Under way, or firmware that waits for a download slot only. */
function isAhead({ work, target }: Current): boolean {
  return isMoving(target) || (work.desired.kind === 'firmware' && target.reason === 'queued' && target.state === 'waiting');
}

/** Without a free slot the router waits until one is free. */
function withPlace(step: Step, places: Places): Step {
  if (step.type !== 'begin') return step;
  if (places.free <= 0) return { type: 'wait', reason: 'queued' };
  places.free--;
  return step;
}
