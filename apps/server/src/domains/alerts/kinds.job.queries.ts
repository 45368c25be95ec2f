// Reads tables of other domains: bindings, connectivity, device_diagnoses, esim_profiles, rollout_targets, router_facts, router_ownership, router_settings_states, router_tables, tool_runs.
import type { alerts } from '@highline/contract';
import { sql } from 'kysely';
import { utcDay } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { isOutage } from '../devices/index.ts';
import { isSet } from '../router-settings/index.ts';
import { lastOf, usedMegabytes, lastPosition, lastCrossing, asOf } from './device-facts.queries.ts';
import { lossesOf, wasLost } from './router-losses.queries.ts';

/**
 * What a kind of condition looks at. Every fragment is about `alert_rules r` and `devices d`, and may use `now`, the time of the
 * statement.
 */
export interface DeviceKind {
  /** Where its changes are stored: looked at in that transaction. All kinds are compared with the devices every few seconds as well. */
  readonly storedWith: 'presence' | 'positions' | 'crossings' | 'nothing';
  readonly holds: (now: Date) => Fragment;
  /** When an alert of it clears; by default when it no longer holds. */
  readonly ends?: (now: Date) => Fragment;
  /** Since when it holds: `forSeconds` count from there. */
  readonly since: (now: Date) => Fragment;
  /** Whether the device must still meet it when the time is over. */
  readonly value?: (now: Date) => Fragment;
}

/** How long a switched SIM is shown. */
const SWITCHED_MS = 3_600_000;

/** The name of the geofence whose crossing began state `s`. */
export const crossedGeofence = lastOf(
  sql`g.name`,
  sql`s.kind = 'geofence' and e.at <= s.since and e.kind = r.condition ->> 'event'`,
);

/** The device is a target of an active rollout of its group in such a state. */
const targetIs = (state: Fragment): Fragment => sql`exists (select from rollout_targets t join bindings b on b.id = t.binding_id
  where t.organization_id = d.organization_id and t.device_id = d.id and b.organization_id = d.organization_id and b.ended_at is null
    and b.state <> 'cancelled' and ${state})`;

const pausedTarget = targetIs(sql`b.state = 'paused' and t.state not in ('successful', 'failed', 'rolled-back', 'unsupported')`);
const failedTarget = targetIs(sql`t.state in ('failed', 'rolled-back')`);

/** The newest position of `devices d` is older than the time of the rule. */
const isSilent = (now: Date): Fragment => sql`${lastPosition} < ${now}::timestamptz - make_interval(secs => r.for_seconds)`;
/** It is online, or offline by a fault: a parked vehicle reports no positions (SAY-04). */
const isWatched = sql`(d.presence = 'online' or d.presence = 'offline' and ${isOutage})`;
/** One that starts again needs a while for its first position: as long as the rule waits, but not longer than this. */
export const FIRST_POSITION_SECONDS = 600;
const isJustConnected = (now: Date): Fragment => sql`coalesce(d.presence = 'online'
  and d.presence_since > ${now}::timestamptz - make_interval(secs => least(r.for_seconds, ${FIRST_POSITION_SECONDS})), false)`;

/** The longest time of a condition, minutes. */
const LONGEST_LOSSES = sql`120`;

/** Findings `x` of `devices d` that the rule looks for. */
const isFound = sql`from device_diagnoses x where x.organization_id = d.organization_id and x.device_id = d.id
  and (r.condition ->> 'diagnosis' is null or x.kind = r.condition ->> 'diagnosis')`;

/** A router without the command for it can never be as bound: its group's page says so, and no one can end it. */
const notAsBound = (kind: 'firmware' | 'config'): Fragment =>
  targetIs(sql`b.kind = ${kind} and t.state not in ('successful', 'unsupported')`);

/** What a router said of its uplinks when it was last connected, since the device has it (LIV-10). An offline one says nothing new. */
function uplinkKind(is: 'backup' | 'down'): DeviceKind {
  return {
    storedWith: 'nothing',
    holds:
      () => sql`exists (select from router_tables t join router_ownership w on w.router_id = t.router_id and w.device_id = d.id
        and w.owned_until is null and t.read_at >= w.owned_from
      where t.router_id = d.router_id and t.name = 'uplinks' and t.content -> ${is} = 'true'::jsonb)`,
    since: asOf,
  };
}

/** What the present router of `devices d` reported of its settings, while anything is set for it. */
const differingSettings = sql`from router_settings_states x where x.organization_id = d.organization_id and x.device_id = d.id
  and x.router_id = d.router_id and x.state = 'differs' and ${isSet}`;

/** The newest test of the rule on the device that ended with a result; one of another target, from before the rule was changed, says nothing. */
const testOf = (column: Fragment): Fragment => sql`(select ${column} from alert_tests c
    join tool_runs u on u.organization_id = c.organization_id and u.id in (c.run_id, c.former_run_id)
  where c.organization_id = r.organization_id and c.rule_id = r.id and c.device_id = d.id and not c.is_once
    and u.device_id = d.id and u.state = 'done' and u.input = r.condition -> 'test' order by u.id desc limit 1)`;
const hasFailed = sql`not u.has_passed or coalesce(u.milliseconds > (r.condition ->> 'slowerThan')::float8, false)`;

/**
 * The kinds of conditions (ALR-01), one place each: a new kind is a row here, one in the contract's `conditions`, and its texts. Kinds
 * whose values arrive in batches, and not with a device, are evaluated in memory (reading-alerts.job.queries.ts) and have no row.
 */
export const deviceKinds: Readonly<Record<Exclude<alerts.ConditionKind, 'reading'>, DeviceKind>> = {
  // A router that never connected is not offline: no one has installed it yet. Nor is one that is off with the ignition, or for a rollout.
  offline: {
    storedWith: 'presence',
    holds: () => sql`d.presence = 'offline' and d.presence_since is not null and ${isOutage}`,
    // Unknown after a restart of the server is neither.
    ends: () => sql`(d.presence = 'online' or not (${isOutage}))`,
    since: () => sql`d.presence_since`,
  },
  'position-silent': {
    storedWith: 'positions',
    // The position itself says when its time is over.
    holds: (now) => sql`(${isSilent(now)} and ${isWatched} and not ${isJustConnected(now)})`,
    // A position does, and parking. A connection that begins again, planned work, and what is unknown after a restart of the server end none.
    ends: (now) => sql`(not coalesce(${isSilent(now)}, false) or d.presence = 'offline' and d.ignition = 'off')`,
    since: () => lastPosition,
  },
  geofence: {
    storedWith: 'crossings',
    holds: () => sql`${lastCrossing('kind')} = r.condition ->> 'event'`,
    since: () => lastCrossing('at'),
  },
  'firmware-mismatch': { storedWith: 'nothing', holds: () => notAsBound('firmware'), since: asOf },
  'config-mismatch': { storedWith: 'nothing', holds: () => notAsBound('config'), since: asOf },
  'rollout-paused': { storedWith: 'nothing', holds: () => pausedTarget, since: asOf },
  'rollout-failed': {
    storedWith: 'nothing',
    holds: () => sql`(${failedTarget} or coalesce((r.condition ->> 'orPaused')::boolean, false) and ${pausedTarget})`,
    since: asOf,
  },
  'esim-switched': {
    storedWith: 'nothing',
    // Not the first SIM that a router reported, and none from before this device had it or the rule was there.
    holds: (
      now,
    ) => sql`exists (select from router_facts f join router_ownership w on w.router_id = f.router_id and w.device_id = d.id
        and w.owned_until is null and f.at >= w.owned_from
      where f.router_id = d.router_id and f.fact = 'iccid'
      and f.at > ${new Date(now.getTime() - SWITCHED_MS)}::timestamptz and f.at >= r.created_at
      and exists (select from router_facts e where e.router_id = f.router_id and e.fact = 'iccid' and e.at < f.at))`,
    since: asOf,
  },
  'esim-failed': {
    storedWith: 'nothing',
    holds: () => sql`exists (select from esim_profiles p where p.organization_id = d.organization_id and p.device_id = d.id
      and p.status in ('Fail to download', 'Fail to activate', 'Out of memory'))`,
    since: asOf,
  },
  'data-use': {
    storedWith: 'nothing',
    holds: (now) => sql`${usedMegabytes(now)} >= (r.condition ->> 'megabytes')::float8`,
    since: asOf,
    value: usedMegabytes,
  },
  'subscription-ends': {
    storedWith: 'nothing',
    holds: (now) => sql`d.expires_on <= ${utcDay(now)}::date + (r.condition ->> 'days')::integer`,
    since: asOf,
    value: (now) => sql`(d.expires_on - ${utcDay(now)}::date)::float8`,
  },
  'connection-lost': {
    storedWith: 'nothing',
    // Those that lost any two are found once for a statement; few of them are counted.
    holds: (
      now,
    ) => sql`d.router_id in (select c.router_id from connectivity c where ${wasLost(now, LONGEST_LOSSES)} group by 1 having count(*) > 1)
      and ${lossesOf(now)} >= (r.condition ->> 'losses')::integer`,
    since: asOf,
    value: lossesOf,
  },
  diagnosis: {
    storedWith: 'nothing',
    holds: () => sql`exists (select ${isFound})`,
    since: () => sql`(select min(x.since) ${isFound})`,
  },
  'on-backup': uplinkKind('backup'),
  'uplink-down': uplinkKind('down'),
  'settings-differ': {
    storedWith: 'nothing',
    holds: () => sql`exists (select ${differingSettings})`,
    since: asOf,
  },
  test: {
    storedWith: 'nothing',
    holds: () => testOf(hasFailed),
    // Without a result, it has neither failed nor passed.
    ends: () => testOf(sql`not (${hasFailed})`),
    since: asOf,
    value: () => testOf(sql`u.milliseconds`),
  },
};

/** Whether a rule watches a device; the devices of a view are known only when an alert is due. */
export const inScope = sql`(r.scope_kind in ('all', 'view') or r.scope_kind = 'group' and d.group_key = r.scope_key
  or r.scope_kind = 'tag' and d.tags @> array[r.scope_key])`;
