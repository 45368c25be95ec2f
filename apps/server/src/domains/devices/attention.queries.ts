// Reads tables of other domains: alerts, bindings, device_diagnoses, organizations, rollout_targets.
import { alerts as alertCalls, devices, diagnoses, rollouts, type OfflineReason } from '@highline/contract';
import { sql } from 'kysely';
import { mayReadPart, type Actor, type Scope } from '../../kernel/index.ts';
import { allOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { subscriptionDay, subscriptionMatches } from '../subscriptions/index.ts';
import { attentionConditions } from './attention-conditions.queries.ts';
import { readDeviation } from './deviation.queries.ts';
import { findingsOf } from './device-diagnosis.queries.ts';
import type { EvaluationContext } from './device.dto.ts';
import { devicesCounted, devicesOf, presenceMatches } from './device.filters.ts';
import { latestOffline, type Attention, NAMED } from './latest-offline.queries.ts';

/**
 * What needs attention now: each count is the total of the list that the overview opens for it (ATT-01).
 * @param offline devices that are offline for less than this do not count
 */
export async function readAttention(
  reader: Reader,
  scope: Scope,
  offline: devices.OfflineFilter,
  context: EvaluationContext,
): Promise<Attention> {
  const { now, expiringDays } = context;
  const day = subscriptionDay(now, expiringDays);
  const count = (condition: Fragment) => countDevices(reader, scope, condition);
  const named = (condition: Fragment) => countAndName(reader, scope, condition);
  const only = (filter: Parameters<typeof attentionConditions>[1]) => allOf(attentionConditions(scope, filter, now));
  const [total, latest, weak, connections, positions, sims, expiring, unsubscribed, starting, never, apart] = await Promise.all([
    count(only({ offline })),
    latestOffline(reader, scope, only({ offline })),
    named(only({ signal: 'weak' })),
    named(only({ connection: 'rejected' })),
    named(only({ position: 'rejected' })),
    named(only({ sim: 'failed' })),
    named(subscriptionMatches('expiring', day)),
    named(subscriptionMatches('not-subscribed', day)),
    count(subscriptionMatches('starting', day)),
    count(presenceMatches('never')),
    countApart(reader, scope),
  ]);
  const [failed, failedDevices, paused, alerts, criticalAlerts, found, deviation] = await Promise.all([
    countGroups(
      reader,
      scope,
      sql`b.state <> 'cancelled' and exists (
      select 1 from rollout_targets t where t.binding_id = b.id and t.state in ('failed', 'rolled-back'))`,
    ),
    nameFailed(reader, scope),
    countGroups(reader, scope, sql`b.state = 'paused'`),
    countAlerts(reader, scope),
    nameCriticalAlerts(reader, scope),
    countDiagnoses(reader, scope),
    readDeviation(reader, scope, now),
  ]);
  return {
    offline: { total, latest },
    weak: weak.total,
    connections: connections.total,
    positions: positions.total,
    sims: sims.total,
    expiring: expiring.total,
    unsubscribed: unsubscribed.total,
    starting,
    never,
    ...apart,
    rollouts: { failed, paused },
    alerts,
    criticalAlerts,
    first: {
      weak: weak.first,
      connections: connections.first,
      positions: positions.first,
      sims: sims.first,
      expiring: expiring.first,
      unsubscribed: unsubscribed.first,
      rollouts: failed === 0 ? [] : failedDevices,
    },
    diagnoses: found,
    deviation,
  };
}

/** The same without the alerts and rollouts that the own role or API key of a caller does not let it read. */
export function withinRights(found: Attention, actor: Actor): Attention {
  return {
    ...found,
    ...(mayReadPart(actor, alertCalls.listAlerts) ? {} : { alerts: { firing: 0, critical: 0 }, criticalAlerts: [] }),
    ...(mayReadPart(actor, rollouts.listRollouts)
      ? {}
      : { rollouts: { failed: 0, paused: 0 }, first: { ...found.first, rollouts: [] } }),
  };
}

type Named = Attention['first']['weak'][number];

/** A device `d` by its name. */
const name = sql`d.id as device, d.serial as serial_number, d.vehicle_number, d.organization_id as org,
  (select o.name from organizations o where o.id = d.organization_id) as "projectName"`;
/** The same as an object. */
const nameObject = sql`jsonb_build_object('device', d.id, 'serial_number', d.serial, 'vehicle_number', d.vehicle_number, 'org', d.organization_id,
  'projectName', (select o.name from organizations o where o.id = d.organization_id))`;

/** How many there are, and the first of them by name. The first are read from what is counted: no index has them in this order. */
async function countAndName(
  reader: Reader,
  scope: Scope,
  condition: Fragment,
): Promise<{ readonly total: number; readonly first: Named[] }> {
  const [row] = await reader.rows<{ total: number; first: Named[] }>(
    sql`with m as materialized (select d.organization_id, d.id, d.serial from devices d where ${devicesOf(scope)} and ${condition})
      select (select count(*)::int from m) as total, coalesce((select jsonb_agg(${nameObject} order by f.serial)
        from (select * from m order by m.serial, m.id limit ${NAMED}) f join devices d on d.organization_id = f.organization_id and d.id = f.id), '[]') as first`,
  );
  return row!;
}

/** Devices on which the present rollout of their group failed. */
async function nameFailed(reader: Reader, scope: Scope): Promise<Named[]> {
  return reader.rows<Named>(sql`select ${name} from rollout_targets t join bindings b on b.id = t.binding_id and b.ended_at is null and b.state <> 'cancelled'
      join devices d on d.organization_id = t.organization_id and d.id = t.device_id
    where ${devicesOf(scope)} and t.state in ('failed', 'rolled-back') order by d.serial, d.id limit ${NAMED}`);
}

/** The newest critical alerts that no one has acknowledged, by rule and vehicle. */
async function nameCriticalAlerts(reader: Reader, scope: Scope): Promise<Attention['criticalAlerts']> {
  return reader.rows<Attention['criticalAlerts'][number]>(sql`select a.id as alert, a.rule_name as "ruleName", ${name}
    from (select a.organization_id, a.id, a.rule_name, a.device_id, a.fired_at from alerts a
        where ${alertsOf(scope)} and a.state <> 'resolved' and a.state = 'firing' and a.severity = 'critical' order by a.fired_at desc, a.id desc limit ${NAMED}) a
      join devices d on d.organization_id = a.organization_id and d.id = a.device_id where ${devicesOf(scope)} order by a.fired_at desc, a.id desc`);
}

/**
 * What was found about devices, the most urgent first. Counted in an index alone, as many devices may have it: one that was deleted or transferred
 * counts until the job has removed its findings, within a minute.
 */
async function countDiagnoses(reader: Reader, scope: Scope): Promise<Attention['diagnoses']> {
  const counts = await reader.rows<Omit<Attention['diagnoses'][number], 'first'>>(
    sql`select x.kind, count(*)::int as total from device_diagnoses x where ${findingsOf(scope)} group by 1`,
  );
  const found = await Promise.all(
    counts.map(async (count) => ({
      ...count,
      first: await reader.rows<Named>(
        sql`select ${name} from device_diagnoses x join devices d on d.organization_id = x.organization_id and d.id = x.device_id
          where ${findingsOf(scope)} and x.kind = ${count.kind} and ${devicesOf(scope)} order by x.device_id limit ${NAMED}`,
      ),
    })),
  );
  return found.filter(({ first }) => first.length > 0).toSorted((a, b) => diagnoses[a.kind].number - diagnoses[b.kind].number);
}

/** Devices that are off without a fault (SAY-04), from the counts that are kept. */
async function countApart(reader: Reader, scope: Scope): Promise<Pick<Attention, 'parked' | 'planned'>> {
  const of = (presence: OfflineReason) => sql`coalesce(sum(c.devices) filter (where c.presence = ${presence}), 0)::int`;
  const [row] = await reader.rows<Pick<Attention, 'parked' | 'planned'>>(
    sql`select ${of('parked')} as parked, ${of('planned')} as planned from device_counts c where ${devicesCounted(scope)}`,
  );
  return row!;
}

async function countDevices(reader: Reader, scope: Scope, condition: Fragment): Promise<number> {
  const [row] = await reader.rows<{ total: number }>(
    sql`select count(*)::int as total from devices d where ${devicesOf(scope)} and ${condition}`,
  );
  return row!.total;
}

const alertsOf = (scope: Scope): Fragment =>
  scope.kind === 'organization'
    ? sql`a.organization_id = ${scope.organizationId}::uuid`
    : sql`a.main_account_id = ${scope.mainAccountId}::uuid`;

const inboxRows = sql`distinct coalesce(a.storm_id, a.id)`;

/** Alerts that no one has acknowledged, as the inbox counts them: those of a storm are one. */
async function countAlerts(reader: Reader, scope: Scope): Promise<Attention['alerts']> {
  const [row] = await reader.rows<Attention['alerts']>(
    sql`select count(${inboxRows})::int as firing, (count(${inboxRows}) filter (where a.severity = 'critical'))::int as critical
      from alerts a where ${alertsOf(scope)} and a.state <> 'resolved' and a.state = 'firing'`,
  );
  return row!;
}

/** Groups with such an active binding. */
async function countGroups(reader: Reader, scope: Scope, condition: Fragment): Promise<number> {
  const mine =
    scope.kind === 'organization'
      ? sql`b.organization_id = ${scope.organizationId}::uuid`
      : sql`b.organization_id in (
          select o.id from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null)`;
  const [row] = await reader.rows<{ total: number }>(
    sql`select count(distinct (b.organization_id, b.group_key))::int as total from bindings b
      where ${mine} and b.group_key is not null and b.ended_at is null and ${condition}`,
  );
  return row!.total;
}
