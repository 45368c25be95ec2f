import type { PassEnd } from '../../../platform/engine/engine.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../../platform/ports/database.ts';
import type { DeviceLink } from '../../../platform/ports/device-link.ts';
import type { OrganizationScope } from '../../../kernel/scope.ts';
import { recordRouterEvents, type RouterEvent } from '../../router-state/index.ts';
import { subscriptionDay } from '../../subscriptions/index.ts';
import { closedWindow, readWindowFacts } from '../../windows/index.ts';
import { wakeBinding } from '../targets.store.ts';
import { ADDRESS_LIVES_MS, type DownloadPasswords } from './address.ts';
import { claimDueChoices, insertChoices, type BootChoice } from './boot-choices.job.queries.ts';
import type { RolloutRequest } from './apply.ts';
import { claimDownloads, findDueRollouts } from './due.store.ts';
import {
  hasOpenCanaries,
  countActiveTargets,
  lockRollouts,
  writeOutcomes,
  type Outcome,
  type RolloutWork,
} from './engine.store.ts';
import { isFinished, type RolloutTimeouts, type Target } from './facts.ts';
import { reconcileRollouts, type RolloutEvent, type ReconciledRollout } from './reconcile.ts';

export interface RolloutPassDeps {
  readonly passwords: DownloadPasswords;
  readonly timeouts: RolloutTimeouts;
  /** This process: steps of routers that another one holds are left to it. */
  readonly node: Pick<ServerNode, 'id'>;
  readonly deviceLink: Pick<DeviceLink, 'awaitsSetUp'>;
  /** Downloads of large files at the same time, on all nodes. */
  readonly downloads: number;
  readonly expiringDays: number;
}

/** A request to a router: a step of a rollout, or reverting its choice for the next boot. */
export type RolloutPassRequest = RolloutRequest | { readonly type: 'revert-boot-choice'; readonly choice: BootChoice };

export interface RolloutPassResult extends PassEnd<RolloutEvent, RolloutPassRequest> {
  /** About steps that are not stored. */
  readonly unknown: readonly RolloutEvent[];
  /** Bindings with failed routers. */
  readonly failing: readonly string[];
  /** Bindings with waves of which a router became successful, and bindings of which one turned out to be unsupported. */
  readonly succeeding: readonly string[];
  readonly reconciled: readonly ReconciledRollout[];
}

/** Routers examined in one transaction, in addition to those with events. */
const BATCH = 300;

/** While routers wait for a place among the downloads, one may become free on another node, or with a lost connection. */
const CLAIM_EVERY_MS = 1_000;

/** Downloads of small files for each one of a large file: they end within a second, and what they cost is a connection. */
const SMALL_FOR_LARGE = 5;

/** Claim free places among the downloads, and examine every router with events, and some that are due; write what they do next. */
export async function runRolloutPass(
  database: Database,
  deps: RolloutPassDeps,
  events: readonly RolloutEvent[],
  now: Date,
): Promise<RolloutPassResult> {
  const most = { small: SMALL_FOR_LARGE * deps.downloads, large: deps.downloads };
  const places = await claimDownloads(database.read, most, now, deps.timeouts.placeMs);
  const result = await database.write((tx) => reconcileRouters(tx, deps, events, now));
  const canClaim = places.free > 0 && result.reconciled.some((each) => isNewlyQueued(each));
  return {
    ...result,
    again: result.again ?? (canClaim ? 'now' : undefined),
    nextDue: places.isWaiting ? new Date(now.getTime() + CLAIM_EVERY_MS) : undefined,
  };
}

async function reconcileRouters(
  tx: Tx,
  deps: RolloutPassDeps,
  events: readonly RolloutEvent[],
  now: Date,
): Promise<RolloutPassResult> {
  const nodeId = deps.node.id;
  const due = await findDueRollouts(tx, nodeId, now, BATCH);
  const eventsByRouter = Map.groupBy(events, ({ routerId }) => routerId);
  const routerIds = [...new Set([...eventsByRouter.keys(), ...due])];
  const works = await withWindows(tx, await lockRollouts(tx, nodeId, routerIds, subscriptionDay(now, deps.expiringDays)), now);
  const reachable = works.map((work) => ({ ...work, isOnline: work.isOnline && !deps.deviceLink.awaitsSetUp(work.routerId) }));
  const byRouter = Map.groupBy(reachable, ({ routerId }) => routerId);
  const locked = await findLocked(tx, [...eventsByRouter.keys()], byRouter);
  const reconciled = routerIds.flatMap((id) => {
    const own = byRouter.get(id);
    if (own === undefined || locked.has(id)) return [];
    return reconcileRollouts(own, eventsByRouter.get(id) ?? [], now, deps.timeouts);
  });
  await write(tx, deps, reconciled, now);
  const next = new Date(now.getTime() + deps.timeouts.responseMs);
  const choices = await claimDueChoices(tx, [...eventsByRouter.keys()], {
    nodeId,
    now,
    next,
    limit: BATCH + eventsByRouter.size,
  });
  const postponed = events.filter(({ routerId }) => locked.has(routerId));
  const isMore = (due.length === BATCH && reconciled.length > 0) || reconciled.some((each) => freesPlace(each));
  return {
    requests: [...requestedSteps(reconciled), ...choices.map((choice) => ({ type: 'revert-boot-choice', choice }) as const)],
    postponed,
    again: again(postponed.length > 0, isMore),
    isForOthers: reconciled.some(({ work, target }) => work.isHeldElsewhere && target !== work.target),
    unknown: events.filter((each) => !locked.has(each.routerId) && isUnknown(each, byRouter)),
    failing: bindingsOf(reconciled.filter((each) => hasFailed(each))),
    succeeding: bindingsOf(
      reconciled.filter((each) => (each.work.desired.hasWaves && hasSucceeded(each)) || hasProvedUnsuited(each)),
    ),
    reconciled,
  };
}

/** With what keeps routers outside of their windows that could begin now. */
async function withWindows(tx: Tx, works: readonly RolloutWork[], now: Date): Promise<readonly RolloutWork[]> {
  const waiting = works.flatMap(({ routerId, desired: { window }, target, isOnline }) =>
    window && isOnline && target.phase === 'idle' && !isFinished(target) ? [{ id: routerId, routerId, window }] : [],
  );
  if (waiting.length === 0) return works;
  const facts = await readWindowFacts(tx, waiting, now);
  return works.map((work) => {
    const known = facts.get(work.routerId);
    const { window } = work.desired;
    return window && known ? { ...work, closedWindow: closedWindow(window, known, now) } : work;
  });
}

function requestedSteps(reconciled: readonly ReconciledRollout[]): RolloutRequest[] {
  return reconciled.flatMap(({ request, work, target }) => (request === undefined ? [] : [{ type: request, work, target }]));
}

function again(someAreLocked: boolean, isMore: boolean): RolloutPassResult['again'] {
  if (someAreLocked) return 'soon';
  return isMore ? 'now' : undefined;
}

/** Its download is over, or did not begin: another may. */
function freesPlace({ work, target }: ReconciledRollout): boolean {
  return work.target.downloadSince !== null && target.downloadSince === null;
}

function isNewlyQueued({ work, target }: ReconciledRollout): boolean {
  return target.reason === 'queued' && target.dueAt === null && work.target.reason !== 'queued';
}

/** Routers with a target that another transaction locks now. */
async function findLocked(
  tx: Tx,
  routerIds: readonly string[],
  works: ReadonlyMap<string, readonly RolloutWork[]>,
): Promise<ReadonlySet<string>> {
  const there = await countActiveTargets(tx, routerIds);
  const isLocked = ({ routerId, count }: { routerId: string; count: number }) => (works.get(routerId)?.length ?? 0) < count;
  return new Set(there.filter(isLocked).map(({ routerId }) => routerId));
}

function isUnknown({ routerId, step }: RolloutEvent, works: ReadonlyMap<string, readonly RolloutWork[]>): boolean {
  return step !== undefined && works.get(routerId)?.some(({ target }) => target.stepKey === step.key) !== true;
}

function bindingsOf(reconciled: readonly ReconciledRollout[]): string[] {
  return [...new Set(reconciled.map(({ work }) => work.bindingId))];
}

function hasSucceeded({ work, target }: ReconciledRollout): boolean {
  return target.state === 'successful' && work.target.state !== 'successful';
}

function hasProvedUnsuited({ work, target }: ReconciledRollout): boolean {
  return target.state === 'unsupported' && work.target.state !== 'unsupported';
}

function hasFailed({ work, target }: ReconciledRollout): boolean {
  return target.state !== work.target.state && (target.state === 'failed' || target.state === 'rolled-back');
}

async function write(tx: Tx, { passwords }: RolloutPassDeps, reconciled: readonly ReconciledRollout[], now: Date): Promise<void> {
  await writeOutcomes(
    tx,
    reconciled.map(({ work, target }): Outcome => {
      const isOpen =
        work.desired.kind !== 'settings' && target.phase === 'sent' && target.stepKey !== null && target.sentAt !== null;
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
  await insertChoices(tx, leftChoices(reconciled), now);
  await recordRouterEvents(tx, stepsOf(reconciled), now);
  await letFollow(tx, reconciled, now);
  await announceChanges(tx, reconciled);
}

/** Choices for the next boot of routers that failed: one may have restarted without starting its choice, and would start it at a later boot. */
function leftChoices(reconciled: readonly ReconciledRollout[]): BootChoice[] {
  return reconciled.flatMap(({ work: { routerId, target: before }, target }) =>
    before.phase === 'staged' && before.slot !== null && (target.state === 'failed' || target.state === 'rolled-back')
      ? [{ routerId, slot: before.slot }]
      : [],
  );
}

/** Entries for the timelines of the routers: each change of state, and that a choice could not be reverted. */
function stepsOf(reconciled: readonly ReconciledRollout[]): RouterEvent[] {
  const isRejected = ({ reason }: Target) => reason === 'not-reverted';
  const moved = reconciled.filter(
    ({ work, target }) => target.state !== work.target.state || (isRejected(target) && !isRejected(work.target)),
  );
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
async function letFollow(tx: Tx, reconciled: readonly ReconciledRollout[], now: Date): Promise<void> {
  const done = reconciled.filter((each) => each.target.isCanary && !each.work.desired.hasWaves && hasSucceeded(each));
  for (const [bindingId, [first]] of Map.groupBy(done, ({ work }) => work.bindingId))
    if (!(await hasOpenCanaries(tx, bindingId))) await wakeBinding(tx, scopeOf(first!.work), bindingId, now);
}

/** One event per organization for a whole pass, however many routers changed. */
async function announceChanges(tx: Tx, reconciled: readonly ReconciledRollout[]): Promise<void> {
  const moved = reconciled.filter(({ work, target }) => target.updatedAt !== work.target.updatedAt);
  for (const own of Map.groupBy(moved, ({ work }) => work.organizationId).values()) {
    const scope = scopeOf(own[0]!.work);
    await announce(tx, scope, 'rollouts', [...new Set(own.map(({ work }) => work.bindingId))]);
    const counted = own.filter(({ work, target }) => isFinished(target) || isFinished(work.target));
    const groups = new Set(counted.flatMap(({ work }) => work.groupKey ?? []));
    if (groups.size > 0) await announce(tx, scope, 'groups', [...groups]);
  }
}

function scopeOf({ mainAccountId, organizationId }: RolloutWork): OrganizationScope {
  return { kind: 'organization', mainAccountId, organizationId };
}
