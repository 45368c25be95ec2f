import { actionRight, type alerts, type Right, type rollouts } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findCommand, sendToMany, type Order } from '../commands/index.ts';
import { sentence } from '../logs/index.ts';
import { recordActions, type Acting } from './alert-action-log.ts';
import { decideActions, isTooLate, type Decided } from './alert-action.ts';
import {
  countActions,
  listActing,
  lockActing,
  noteDecisions,
  skipActions,
  takeWaiting,
  WAIT_HOURS,
  type ActingKey,
  type DecidedAction,
  type TakenAction,
} from './alert-actions.job.queries.ts';
import { insertOnce } from './alert-tests.job.queries.ts';
import { deliverAction } from './alert.events.ts';

/** What rules do with devices, each within the transaction of the caller; of other domains, which need this one. */
export interface RuleActions {
  /** Whether who saved a rule may do what it does. */
  mayAct(tx: Tx, actor: Actor, right: Right): Promise<boolean>;
  /** Run a custom command on devices. @returns 'started', or why not */
  startCommandJob(
    tx: Tx,
    scope: OrganizationScope,
    actor: Actor,
    commandId: string,
    devices: readonly { readonly device_id: string; readonly serial: string; readonly organization_id: string }[],
    now: Date,
  ): Promise<'started' | 'no_command' | 'too_many_jobs'>;
  /**
   * Switch devices from the profiles with these ICCIDs to others.
   * @param later when they may switch; undefined = now
   * @returns of each 'started', or why not
   */
  switchToOthers(
    tx: Tx,
    scope: OrganizationScope,
    actor: Actor,
    sims: readonly { readonly device_id: string; readonly iccid: string }[],
    now: Date,
    leftOut: undefined,
    later: { readonly window: rollouts.UpdateWindow; readonly until: Date } | undefined,
  ): Promise<('started' | 'no_profile')[]>;
}

export interface ActionJobDeps extends Pick<Deps, 'database' | 'log'> {
  readonly actions: RuleActions;
  /** Begin with jobs that were started: called after the commit. */
  readonly wakeJobs: () => void;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Rules that are read at a time, and actions of one transaction. */
const MOST_RULES = 200;
const BATCH = 500;

/**
 * Do what rules do by themselves (WIN-03). The decision, what it starts, and its row in the log are one transaction: a process that is
 * killed has done all of it or nothing, and the next run of any process continues.
 */
export async function actOnAlerts(deps: ActionJobDeps, now: Date): Promise<void> {
  // All of them: those whose actions wait for their turn stay, and must not keep others from theirs.
  for (let after: ActingKey | undefined; ;) {
    const keys = await listActing(deps.database.read, after, MOST_RULES);
    for (const key of keys) await actOn(deps, key, now);
    after = keys.at(-1);
    if (keys.length < MOST_RULES) return;
  }
}

async function actOn(deps: ActionJobDeps, key: ActingKey, now: Date): Promise<void> {
  try {
    const started = await deps.database.write((tx) => actOnce(tx, deps.actions, key, now));
    if (started > 0) deps.wakeJobs();
  } catch (error) {
    // The other rules do not wait for it; the next run retries.
    deps.log.warn({ err: error, rule: key.rule_id }, 'Failed to do what an alert rule does.');
  }
}

async function actOnce(tx: Tx, actions: RuleActions, key: ActingKey, now: Date): Promise<number> {
  const rule = await lockActing(tx, key);
  if (rule === undefined || rule.action === null || rule.action_actor === null) {
    await skipActions(tx, key, now);
    return 0;
  }
  const scope: OrganizationScope = {
    kind: 'organization',
    mainAccountId: rule.main_account_id,
    organizationId: rule.organization_id,
  };
  const acting: Acting = { rule, action: rule.action, actor: rule.action_actor, scope };
  const { dryRun: isDryRun, cooldownMinutes, does } = rule.action;
  const context = {
    isDryRun,
    needsConnection: does.kind === 'command' || does.kind === 'send' || does.kind === 'test',
    plansSwitch: does.kind === 'profile' && does.window !== undefined,
    since: new Date(now.getTime() - DAY_MS),
  };
  const waiting = await takeWaiting(tx, key, { ...context, most: BATCH });
  if (waiting.length === 0) return 0;
  const counts = await countActions(tx, key, context, new Date(now.getTime() - cooldownMinutes * MINUTE_MS));
  const decided = decideActions(waiting, rule.action, counts, now);
  const starting = new Set(decided.filter(({ state }) => state === 'started').map(({ id }) => id));
  const outcomes = await start(
    tx,
    actions,
    acting,
    waiting.filter(({ id }) => starting.has(id)),
    now,
  );
  const all = decided.map((each): DecidedAction => outcomes.get(each.id) ?? asDecision(each));
  await noteDecisions(tx, key, rule.action, all, now);
  await announce(tx, scope, 'alerts', []);
  return all.filter(({ state }) => state === 'started').length;
}

const asDecision = (decided: Decided): DecidedAction => ({ reason: null, ...decided });

/** @returns what became of each action that was to begin */
async function start(
  tx: Tx,
  actions: RuleActions,
  acting: Acting,
  starting: readonly TakenAction[],
  now: Date,
): Promise<Map<string, DecidedAction>> {
  const { rule, action, actor, scope } = acting;
  const all = (state: DecidedAction['state'], reason: alerts.ActionReason | null) =>
    new Map(starting.map(({ id }): [string, DecidedAction] => [id, { id, state, reason }]));
  if (starting.length === 0) return new Map();
  if (!(await actions.mayAct(tx, actor, actionRight(action.does)))) {
    await recordActions(tx, acting, sentence('alert_rule.not_allowed', rule.name, starting.length), starting, now);
    return all('skipped', 'not_allowed');
  }
  if (action.dryRun) return all('dry-run', null);
  const outcomes = new Map<string, DecidedAction>();
  const { does } = action;
  if (does.kind === 'command' && does.window === undefined) {
    const devices = starting.map(({ device_id, serial }) => ({ device_id, serial, organization_id: scope.organizationId }));
    const outcome = await actions.startCommandJob(tx, scope, actor, does.command, devices, now);
    for (const each of starting) outcomes.set(each.id, outcomeOf(each, outcome, now));
  } else if (does.kind === 'command' || does.kind === 'send') {
    const order = await orderOf(tx, scope, does);
    if (order === undefined) return all('skipped', 'no_command');
    const ids = starting.map(({ device_id: id }) => id);
    const sent = await sendToMany(tx, scope, actor, { order, wait: WAIT_HOURS, window: does.window, job: null }, ids, now);
    for (const each of starting) {
      const isSent = sent.get(each.device_id)?.state === 'done';
      outcomes.set(each.id, outcomeOf(each, isSent ? 'started' : 'too_many_open', now));
    }
  } else if (does.kind === 'test') {
    await insertOnce(tx, scope, rule.id, starting, now);
    for (const each of starting) outcomes.set(each.id, outcomeOf(each, 'started', now));
  } else if (does.kind === 'webhook') {
    const outcome = await deliverAction(tx, scope, { name: rule.name, severity: rule.severity }, starting, does.webhook, now);
    for (const each of starting) outcomes.set(each.id, outcomeOf(each, outcome, now));
  } else {
    const sims = starting.flatMap(({ id, device_id, iccid }) => (iccid === null ? [] : [{ id, device_id, iccid }]));
    const later = does.window && { window: does.window, until: new Date(now.getTime() + WAIT_HOURS * 60 * MINUTE_MS) };
    const switched = await actions.switchToOthers(tx, scope, actor, sims, now, undefined, later);
    const outcomeById = new Map(sims.map(({ id }, index) => [id, switched[index]]));
    for (const each of starting) outcomes.set(each.id, outcomeOf(each, outcomeById.get(each.id) ?? 'no_profile', now));
  }
  const acted = starting.filter(({ id }) => outcomes.get(id)?.state === 'started');
  if (acted.length > 0) await recordActions(tx, acting, sentence('alert_rule.acted', rule.name, acted.length), acted, now);
  return outcomes;
}

/** @returns undefined for a custom command that is gone */
async function orderOf(
  tx: Tx,
  scope: OrganizationScope,
  does: Extract<alerts.RuleDoes, { kind: 'command' | 'send' }>,
): Promise<Order | undefined> {
  if (does.kind === 'send') return { kind: does.send, argument: '', name: '' };
  const custom = await findCommand(tx, scope, does.command);
  return custom && { kind: custom.kind, argument: custom.argument, name: custom.name };
}

/** Too many jobs are a matter of minutes; a command or a profile that is missing is not. */
function outcomeOf(
  { id, created_at: since }: TakenAction,
  outcome: 'started' | 'no_command' | 'no_profile' | 'no_webhook' | 'webhook_off' | 'too_many_jobs' | 'too_many_open',
  now: Date,
): DecidedAction {
  if (outcome === 'started') return { id, state: 'started', reason: null };
  const waits = outcome === 'too_many_jobs' && !isTooLate(since, now);
  return { id, state: waits ? 'waiting' : 'skipped', reason: outcome };
}
