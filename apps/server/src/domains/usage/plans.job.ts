import { planRights, type Right, type usagePlans } from '@highline/contract';
import type { Job } from '../../platform/jobs/runner.ts';
import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Log } from '../../platform/ports/log.ts';
import { recordAudit, sentence, serverActor } from '../logs/index.ts';
import { raise } from '../notifications/index.ts';
import { learnAllCarriers, matchPlans } from './plan-matching.ts';
import {
  devicesWith,
  MOST_SWITCHES,
  noteReached,
  organizationsWithPlans,
  type ReachedShare,
  type SimDevice,
  usedUpSims,
} from './plan-events.job.queries.ts';
import { noteOutcome } from './plan-events.store.ts';

/** How often use is compared with the allowances; of new and changed plans at once. */
const EVERY_MS = 60_000;
const MATCH_EVERY_MS = 5_000;
/** How often SIMs without a carrier take that of their device. */
const CARRIERS_EVERY_MS = 5 * 60_000;

type PlanOutcome = 'started' | usagePlans.NotDoneReason;

/** What plans do at the allowance, each within the transaction of the caller; of other domains, which need this one. */
export interface PlanActions {
  /** Whether who saved a plan may do what it does. */
  mayAct(tx: Tx, actor: Actor, right: Right): Promise<boolean>;
  /** Run a custom command on devices. @returns 'started', or why not */
  startCommandJob(
    tx: Tx,
    scope: OrganizationScope,
    actor: Actor,
    commandId: string,
    devices: readonly (Pick<SimDevice, 'device_id' | 'serial'> & { readonly organization_id: string })[],
    now: Date,
  ): Promise<PlanOutcome>;
  /** Lock the routers whose profiles `switchToOthers` will switch, before anything else is locked. */
  lockRouters(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[]): Promise<unknown>;
  /** Switch devices from the profiles with these ICCIDs to their next ones. @param leftOut ICCIDs of profiles that are not to be used @returns of each 'started', or why not */
  switchToOthers(
    tx: Tx,
    scope: OrganizationScope,
    actor: Actor,
    sims: readonly { readonly device_id: string; readonly iccid: string }[],
    now: Date,
    leftOut: ReadonlySet<string>,
  ): Promise<PlanOutcome[]>;
}

export interface PlanJobDeps {
  readonly database: Database;
  readonly log: Log;
  readonly actions: PlanActions;
  /** Begin with jobs that were started: called after the commit. */
  wakeJobs(): void;
}

/** Matches SIMs with plans, and does what plans say when a share is reached (USE-03). */
export function createPlanJobs({ database, log, actions, wakeJobs }: PlanJobDeps): Job[] {
  const idOf = ({ organizationId }: OrganizationScope) => organizationId;
  const apply = (scopes: readonly OrganizationScope[], now: Date) =>
    forEachOrganization(scopes, idOf, async (scope) => {
      for (let left = true; left;) left = await applyNext(scope, now);
    });
  /** @returns whether there may be more */
  const applyNext = async (scope: OrganizationScope, now: Date): Promise<boolean> => {
    const reached = await database.write((tx) => applyReached(tx, scope, actions, now));
    if (reached.length === 0) return false;
    log.info({ organization: scope.organizationId, shares: reached.length }, 'Shares of data plans were reached.');
    wakeJobs();
    return reached.filter(isSwitch).length >= MOST_SWITCHES;
  };
  return [
    {
      name: 'usage.matching',
      everyMs: MATCH_EVERY_MS,
      async run(now) {
        const matched = new Set<string>();
        try {
          await matchPlans(database, now, matched);
        } finally {
          const scopes = matched.size === 0 ? [] : await organizationsWithPlans(database.read);
          await apply(
            scopes.filter(({ organizationId }) => matched.has(organizationId)),
            now,
          );
        }
      },
    },
    { name: 'usage.carriers', everyMs: CARRIERS_EVERY_MS, isShared: true, run: () => learnAllCarriers(database) },
    {
      name: 'usage.plans',
      everyMs: EVERY_MS,
      isShared: true,
      run: async (now) => apply(await organizationsWithPlans(database.read), now),
    },
  ];
}

const isSwitch = ({ share, action }: ReachedShare): boolean => share === 0 && action === 'profile';

/** Note what was reached, write its mails and start its actions, in one transaction: after a crash, all of it happens or none has. */
async function applyReached(tx: Tx, scope: OrganizationScope, planActions: PlanActions, now: Date): Promise<ReachedShare[]> {
  const reached = await noteReached(tx, scope, now);
  if (reached.length === 0) return reached;
  const devices = new Map(
    (
      await devicesWith(
        tx,
        scope,
        reached.map(({ iccid }) => iccid),
      )
    ).map((device) => [device.iccid, device]),
  );
  // Of all plans at once: a plan writes to the log, and others who have locked a router wait for that.
  const switching = reached.filter(isSwitch);
  const switched = switching.flatMap(({ iccid }) => devices.get(iccid)?.device_id ?? []);
  if (switched.length > 0) await planActions.lockRouters(tx, scope, switched);
  const mails = Array.from(
    Map.groupBy(
      reached.filter(({ share }) => share > 0),
      ({ plan_id: plan, share, iccid }) => `${plan} ${share} ${devices.get(iccid)?.group_key ?? ''}`,
    ).values(),
  );
  await raise(
    tx,
    scope,
    mails.map((group) => ({
      event: 'DATA_USE' as const,
      // Recipients of other groups do not get it; a pool, or a SIM that no vehicle has, belongs to no group.
      groupKey: devices.get(group[0]!.iccid)?.group_key ?? null,
      detail: { what: group.map((each) => sentenceOf(each, devices.get(each.iccid)?.name)), count: group.length },
    })),
    now,
  );
  const actions = reached.filter(({ share }) => share === 0);
  for (const group of Map.groupBy(actions, ({ plan_id: plan }) => plan).values())
    await act(tx, scope, planActions, group, devices, now);
  await announce(tx, scope, 'usage', []);
  return reached;
}

/** `Bus 1, 8901…: 80% of Plan A`. */
function sentenceOf({ iccid, share, name }: ReachedShare, vehicle: string | undefined): string {
  const subject = [vehicle, iccid].filter((part) => part !== undefined && part !== '').join(', ');
  return subject === '' ? `${share}% · ${name}` : `${subject}: ${share}% · ${name}`;
}

async function act(
  tx: Tx,
  scope: OrganizationScope,
  { mayAct, startCommandJob, switchToOthers }: PlanActions,
  group: readonly ReachedShare[],
  devices: ReadonlyMap<string, SimDevice>,
  now: Date,
): Promise<void> {
  const [{ action, actor, command_id: command }] = group as [ReachedShare];
  const found = group.flatMap((each) => {
    const device = devices.get(each.iccid);
    return device === undefined ? [] : [{ each, device }];
  });
  for (const each of group) if (!devices.has(each.iccid)) await noteOutcome(tx, scope, each, 'no_device');
  if (found.length === 0) return;
  const right = planRights[action];
  if (right !== null && !(await mayAct(tx, actor, right))) {
    await noteNotAllowed(
      tx,
      scope,
      found.map(({ each }) => each),
      now,
    );
    return;
  }
  if (action === 'command') {
    const items = found.map(({ device: { device_id, serial } }) => ({
      organization_id: scope.organizationId,
      device_id,
      serial,
    }));
    const outcome = await startCommandJob(tx, scope, actor, command ?? '', items, now);
    for (const { each } of found) await noteOutcome(tx, scope, each, outcome);
    return;
  }
  const sims = found.map(({ each, device }) => ({ device_id: device.device_id, iccid: each.iccid }));
  const outcomes = await switchToOthers(tx, scope, actor, sims, now, await usedUpSims(tx, scope, now));
  for (const [index, { each }] of found.entries()) await noteOutcome(tx, scope, each, outcomes[index]!);
}

/** The plan does nothing, and says so with its use and in the log, until someone who may act saves it. */
async function noteNotAllowed(tx: Tx, scope: OrganizationScope, group: readonly ReachedShare[], now: Date): Promise<void> {
  const [{ plan_id: id, name, action, actor }] = group as [ReachedShare];
  for (const each of group) await noteOutcome(tx, scope, each, 'not_allowed');
  const event = {
    action: sentence('plan.not_allowed', name, group.length),
    subject: { kind: 'data plan', id },
    detail: {
      action,
      by: actor.email,
      ...(actor.key !== undefined && { key: actor.key.label }),
      sims: group.length,
      first: group.slice(0, 20).map(({ iccid }) => iccid),
    },
  };
  await recordAudit(tx, scope.organizationId, serverActor, event, now);
}
