import type { PassEnd } from '../../../platform/engine/engine.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import type { OrganizationScope } from '../../../kernel/scope.ts';
import { recordRouterEvents, type RouterEvent } from '../../history/index.ts';
import { subscriptionDay } from '../../subscriptions/index.ts';
import { wakeBinding } from '../targets.store.ts';
import { ADDRESS_LIVES_MS, type DownloadPasswords } from './address.ts';
import { claimDueChoices, type BootChoice } from './boot-choices.store.ts';
import type { StepAction } from './apply-step.ts';
import { countSent, findDue, findQueued } from './due.store.ts';
import { hasOpenCanaries, countActiveTargets, lockWork, writeOutcomes, type Outcome, type Work } from './engine.store.ts';
import { isFinished, type Timeouts } from './facts.ts';
import { reconcileRouter, type RolloutEvent, type Reconciled } from './reconcile.ts';

export interface PassDeps {
  readonly passwords: DownloadPasswords;
  readonly timeouts: Timeouts;
  /** Downloads at the same time. */
  readonly downloads: number;
  readonly expiringDays: number;
}

/** A request to a router: a step of a rollout, or reverting its choice for the next boot. */
export type PassAction = StepAction | { readonly type: 'take-back'; readonly choice: BootChoice };

export interface PassResult extends PassEnd<RolloutEvent, PassAction> {
  /** About steps that are not stored. */
  readonly unknown: readonly RolloutEvent[];
  /** Bindings with failed routers. */
  readonly failing: readonly string[];
  readonly reconciled: readonly Reconciled[];
}

/** Routers examined in one transaction, in addition to those with events. */
const BATCH = 300;

/** Examine every router with events, and some that are due; write what they do next. */
export async function runPass(tx: Tx, deps: PassDeps, events: readonly RolloutEvent[], now: Date): Promise<PassResult> {
  const capacity = { free: deps.downloads - (await countSent(tx)) };
  const due = await findDue(tx, now, BATCH);
  const queued = await findQueued(tx, Math.min(BATCH, capacity.free));
  const eventsByRouter = Map.groupBy(events, ({ routerId }) => routerId);
  const routerIds = [...new Set([...eventsByRouter.keys(), ...queued, ...due])];
  const works = await lockWork(tx, routerIds, subscriptionDay(now, deps.expiringDays));
  const byRouter = Map.groupBy(works, ({ routerId }) => routerId);
  const locked = await findLocked(tx, [...eventsByRouter.keys()], byRouter);
  const reconciled = routerIds.flatMap((id) => {
    const own = byRouter.get(id);
    if (own === undefined || locked.has(id)) return [];
    return reconcileRouter(own, eventsByRouter.get(id) ?? [], capacity, now, deps.timeouts);
  });
  await write(tx, deps, reconciled, now);
  const next = new Date(now.getTime() + deps.timeouts.answerMs);
  const choices = await claimDueChoices(tx, [...eventsByRouter.keys()], { now, next, limit: BATCH + eventsByRouter.size });
  const postponed = events.filter(({ routerId }) => locked.has(routerId));
  const isMore = (due.length === BATCH && reconciled.length > 0) || reconciled.some((each) => freesCapacity(each));
  return {
    actions: [...requestedSteps(reconciled), ...choices.map((choice) => ({ type: 'take-back', choice }) as const)],
    postponed,
    again: again(postponed.length > 0, isMore),
    unknown: events.filter((each) => !locked.has(each.routerId) && isUnknown(each, byRouter)),
    failing: [...new Set(reconciled.filter((each) => hasFailed(each)).map(({ work }) => work.bindingId))],
    reconciled,
  };
}

function requestedSteps(reconciled: readonly Reconciled[]): StepAction[] {
  return reconciled.flatMap(({ action, work, target }) => (action === undefined ? [] : [{ type: action, work, target }]));
}

function again(someAreLocked: boolean, isMore: boolean): PassResult['again'] {
  if (someAreLocked) return 'soon';
  return isMore ? 'now' : undefined;
}

/** Its download is over: another may begin. */
function freesCapacity({ work, target }: Reconciled): boolean {
  return work.target.phase === 'sent' && target.phase !== 'sent';
}

/** Routers with a target that another transaction locks now. */
async function findLocked(
  tx: Tx,
  routerIds: readonly string[],
  works: ReadonlyMap<string, readonly Work[]>,
): Promise<ReadonlySet<string>> {
  const there = await countActiveTargets(tx, routerIds);
  const isLocked = ({ routerId, count }: { routerId: string; count: number }) => (works.get(routerId)?.length ?? 0) < count;
  return new Set(there.filter(isLocked).map(({ routerId }) => routerId));
}

function isUnknown({ routerId, step }: RolloutEvent, works: ReadonlyMap<string, readonly Work[]>): boolean {
  return step !== undefined && works.get(routerId)?.some(({ target }) => target.stepKey === step.key) !== true;
}

function hasFailed({ work, target }: Reconciled): boolean {
  return target.state !== work.target.state && (target.state === 'failed' || target.state === 'rolled-back');
}

async function write(tx: Tx, { passwords }: PassDeps, reconciled: readonly Reconciled[], now: Date): Promise<void> {
  await writeOutcomes(
    tx,
    reconciled.map(({ work, target }): Outcome => {
      const isOpen = target.phase === 'sent' && target.stepKey !== null && target.sentAt !== null;
      return {
        bindingId: work.bindingId,
        deviceId: work.deviceId,
        target,
        downloadHash: isOpen ? passwords.hash(passwords.of(target.stepKey)) : null,
        downloadUntil: isOpen ? new Date(target.sentAt.getTime() + ADDRESS_LIVES_MS) : null,
      };
    }),
    now,
  );
  await recordRouterEvents(tx, stepsOf(reconciled), now);
  await letFollow(tx, reconciled, now);
  await announceChanges(tx, reconciled);
}

/** Entries for the timelines of the routers: each change of state. */
function stepsOf(reconciled: readonly Reconciled[]): RouterEvent[] {
  const moved = reconciled.filter(({ work, target }) => target.state !== work.target.state);
  return moved.map(({ work, target }) => ({
    routerId: work.routerId,
    kind: 'rollout',
    subject: work.desired.kind,
    label: work.desired.label,
    state: target.state,
    reason: target.reason,
    rolloutId: work.bindingId,
  }));
}

/** The last canary succeeded: release the other routers. */
async function letFollow(tx: Tx, reconciled: readonly Reconciled[], now: Date): Promise<void> {
  const done = reconciled.filter(
    ({ work, target }) => target.isCanary && target.state === 'successful' && work.target.state !== 'successful',
  );
  for (const [bindingId, [first]] of Map.groupBy(done, ({ work }) => work.bindingId))
    if (!(await hasOpenCanaries(tx, bindingId))) await wakeBinding(tx, scopeOf(first!.work), bindingId, now);
}

/** One event per organization for a whole pass, however many routers changed. */
async function announceChanges(tx: Tx, reconciled: readonly Reconciled[]): Promise<void> {
  const moved = reconciled.filter(({ work, target }) => target.updatedAt !== work.target.updatedAt);
  for (const own of Map.groupBy(moved, ({ work }) => work.organizationId).values()) {
    const scope = scopeOf(own[0]!.work);
    await announce(tx, scope, 'rollouts', [...new Set(own.map(({ work }) => work.bindingId))]);
    const counted = own.filter(({ work, target }) => isFinished(target) || isFinished(work.target));
    const groups = new Set(counted.map(({ work }) => work.groupKey));
    if (groups.size > 0) await announce(tx, scope, 'groups', [...groups]);
  }
}

function scopeOf({ mainAccountId, organizationId }: Work): OrganizationScope {
  return { kind: 'organization', mainAccountId, organizationId };
}
