import { sql } from 'kysely';
import { manyOf, type Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { isActiveSql } from './is-active.ts';
import { changeTargets, removeTargets } from './steps.store.ts';
import { JOINING_WAVE } from './waves.store.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** States in which a router has finished a binding, successfully or not. */
export const FINISHED = sql`('successful', 'failed', 'rolled-back', 'unsupported')`;

/** Whether a canary of a binding `b` is not successful yet: the other routers wait for all canaries. */
export const HAS_OPEN_CANARIES = sql`exists (select 1 from rollout_targets c
  where c.binding_id = b.id and c.is_canary and c.state <> 'successful')`;

/** Ends the timeline of routers that were not finished; the others had ended before. */
const ENDED = sql`case when c.state not in ${FINISHED} then 'ended' end`;

/** Above a number of routers the first steps of a rollout are spread: this many milliseconds for each. */
const SPREAD_MS = 2;
const UNSPREAD = 200;

/** A random time within the spread of this many routers. */
function spread(now: Date, count: number): Fragment {
  const seconds = (Math.max(0, count - UNSPREAD) * SPREAD_MS) / 1_000;
  return sql`${now}::timestamptz + random() * ${seconds} * interval '1 second'`;
}

/** The fields of a binding `b` with its firmware `f` or config version `v`. */
const boundColumns = { label: sql`b.label`, model: sql`f.profile`, sha256: sql`encode(v.sha256, 'hex')` };

/** Files that are bound: who joins a group gets them. Settings go to those that are there when their rollout begins. */
const FILES = sql`b.group_key = d.group_key and b.kind <> 'settings'`;

/**
 * Give devices their missing targets of the active bindings of their groups. A device that reports the bound file already starts
 * as successful.
 * @param which condition on `devices d`
 * @param count about how many devices match
 * @param bindings condition on `bindings b`, of `devices d`
 * @returns how many targets were made
 */
export async function insertTargets(
  tx: Tx,
  scope: OrganizationScope,
  which: Fragment,
  count: number,
  now: Date,
  bindings: Fragment = FILES,
): Promise<number> {
  const change = sql`insert into rollout_targets as t
      (organization_id, binding_id, device_id, router_id, state, percent, is_canary, wave, due_at, made_at, updated_at)
    select d.organization_id, b.id, d.id, d.router_id, case when active.file then 'successful' else 'waiting' end,
      case when active.file then 100 else 0 end, false, ${JOINING_WAVE},
      case when not active.file and d.presence = 'online' then ${spread(now, count)} end, ${now}::timestamptz, ${now}::timestamptz
    from devices d
      join bindings b on b.organization_id = d.organization_id and b.ended_at is null and ${bindings}
      left join firmware f on f.id = b.firmware_id
      left join config_versions v
        on v.organization_id = b.organization_id and v.config_id = b.config_id and v.number = b.config_number
      cross join lateral (select case b.kind when 'firmware' then ${isActiveSql('firmware', boundColumns)}
        when 'config' then ${isActiveSql('config', boundColumns)} else false end as file) active
    where d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null and ${which}
    on conflict (binding_id, device_id) do nothing`;
  return changeTargets(tx, { change, state: sql`c.state`, now });
}

// One parameter per value instead of a join with a list of values: just imported devices have no statistics, and the join would
// compare each of them with every value.

/** Drop the targets of devices that left the group of the binding, or the organization. @returns how many */
export async function dropStrayTargets(
  tx: Tx,
  scope: OrganizationScope,
  deviceIds: readonly string[],
  now: Date,
): Promise<number> {
  const change = sql`delete from rollout_targets t using bindings b, devices d
    where t.organization_id = ${scope.organizationId}::uuid and t.device_id = any (${[...deviceIds]}::uuid[])
      and b.id = t.binding_id and d.organization_id = t.organization_id and d.id = t.device_id
      and (b.group_key <> d.group_key or b.ended_at is not null or d.archived_at is not null)`;
  return removeTargets(tx, { change, state: ENDED, now });
}

/** Drop every target of devices. @returns how many */
export async function dropTargets(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[], now: Date): Promise<number> {
  const change = sql`delete from rollout_targets t
    where t.organization_id = ${scope.organizationId}::uuid and t.device_id = any (${[...deviceIds]}::uuid[])`;
  return removeTargets(tx, { change, state: ENDED, now });
}

/** End bindings with their targets; the rows of the bindings stay as history. @returns ids of those that were active */
export async function endBindingsWhere(tx: Tx, scope: OrganizationScope, which: Fragment, now: Date): Promise<string[]> {
  const { rows } = await sql<Row<'bindings', 'id'>>`update bindings b set ended_at = ${now}::timestamptz
    where b.organization_id = ${scope.organizationId}::uuid and b.ended_at is null and ${which} returning b.id`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await removeTargets(tx, {
      change: sql`delete from rollout_targets t
        where t.organization_id = ${scope.organizationId}::uuid and t.binding_id in ${manyOf(ids, 'uuid')}`,
      state: ENDED,
      now,
    });
  return ids;
}

/**
 * Make the connected routers of a binding due that have no running step, or a choice for their next boot; spread when there are many.
 * @param which condition on `rollout_targets t`
 */
export async function wakeBinding(
  tx: Tx,
  scope: OrganizationScope,
  bindingId: string,
  now: Date,
  which: Fragment = sql`true`,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from rollout_targets t
    where t.organization_id = ${scope.organizationId}::uuid and t.binding_id = ${bindingId}::uuid
      and t.state not in ${FINISHED} and ${which}`.execute(tx);
  await sql`update rollout_targets t set due_at = ${spread(now, rows[0]!.count)} from routers r
    where t.organization_id = ${scope.organizationId}::uuid and t.binding_id = ${bindingId}::uuid and r.id = t.router_id
      and r.presence = 'online' and t.state not in ${FINISHED} and t.phase in ('idle', 'downloaded', 'staged') and ${which}`.execute(
    tx,
  );
}

/** Make the routers of a binding due that may have chosen its firmware for their next boot: they may have to revert that. */
export async function wakeChosen(tx: Tx, scope: OrganizationScope, bindingId: string, now: Date): Promise<void> {
  await wakeBinding(tx, scope, bindingId, now, sql`t.phase in ('downloaded', 'staged')`);
}

/** Make devices due that are connected and have no running step. */
export async function wakeDevices(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[], now: Date): Promise<void> {
  await sql`update rollout_targets t set due_at = ${now}::timestamptz from routers r
    where t.organization_id = ${scope.organizationId}::uuid and t.device_id = any (${[...deviceIds]}::uuid[])
      and r.id = t.router_id and r.presence = 'online' and t.state not in ${FINISHED} and t.phase in ('idle', 'downloaded')`.execute(
    tx,
  );
}
