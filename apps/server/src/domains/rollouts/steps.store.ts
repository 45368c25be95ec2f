import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A change of many targets, without its `returning`, and its meaning on the timelines of their routers. */
export interface TargetChange {
  readonly change: Fragment;
  /** The new state of each changed row `c`, or null for no timeline entry. */
  readonly state: Fragment;
  readonly now: Date;
}

/**
 * Change targets and write a step on the timeline of each of their routers, with one statement. @returns how many were changed
 */
export async function changeTargets(tx: Tx, change: TargetChange): Promise<number> {
  return changeAnd(tx, change, sql``);
}

/**
 * As `changeTargets`, but deletes the targets. Routers that had already chosen the firmware for their next boot are stored, so
 * that the engine reverts that choice.
 */
export async function removeTargets(tx: Tx, change: TargetChange): Promise<number> {
  return changeAnd(tx, change, sql`, forgotten as (${insertBootChoices(sql`changed`, change.now)})`);
}

/** Take the targets of a cancelled rollout back that have downloaded firmware for their next boot, so that the engine reverts that choice. */
export async function takeBackTargets(
  tx: Tx,
  { organizationId }: OrganizationScope,
  bindingId: string,
  now: Date,
): Promise<void> {
  const own = sql`t.organization_id = ${organizationId}::uuid and t.binding_id = ${bindingId}::uuid`;
  // A statement of its own: a target that the engine is changing is read again by the next one.
  await sql`select 1 from rollout_targets t where ${own} and t.phase in ('sent', 'downloaded', 'staged') for update`.execute(tx);
  await takeBack(tx, own, now);
}

/** As `takeBackTargets`, of rollouts that an earlier version cancelled, or for which one that still ran chose firmware afterwards. */
export async function takeBackCancelled(tx: Tx, now: Date, limit: number): Promise<void> {
  const { rows } = await sql<Row<'rollout_targets', 'binding_id' | 'device_id'>>`select t.binding_id, t.device_id from bindings b
      join rollout_targets t on t.binding_id = b.id and t.state <> 'successful' and t.phase in ('downloaded', 'staged')
    where b.state = 'cancelled' and b.ended_at is null limit ${limit} for update of t skip locked`.execute(tx);
  if (rows.length === 0) return;
  const bindings = rows.map((row) => row.binding_id);
  const devices = rows.map((row) => row.device_id);
  await takeBack(tx, sql`(t.binding_id, t.device_id) in (select * from unnest(${bindings}::uuid[], ${devices}::uuid[]))`, now);
}

/** @param own condition on locked targets `t` */
async function takeBack(tx: Tx, own: Fragment, now: Date): Promise<void> {
  await insertBootChoices(sql`(select * from rollout_targets t where ${own})`, now).execute(tx);
  await sql`update rollout_targets t set phase = 'idle', state = 'waiting', reason = 'paused', step_key = null, slot = null,
      step_begun_at = null, step_sent_at = null, step_taken_at = null, sends = 0, interruptions = 0, busy_since = null, due_at = null,
      updated_at = ${now}::timestamptz
    where ${own} and t.phase in ('downloaded', 'staged')`.execute(tx);
}

/** Those of routers that may start a downloaded image at their next boot. @param from targets */
function insertBootChoices(from: Fragment, now: Date) {
  return sql`insert into boot_choices (router_id, slot, due_at)
    select distinct on (c.router_id) c.router_id, c.slot, case when r.presence = 'online' then ${now}::timestamptz end
    from ${from} c join routers r on r.id = c.router_id
    where c.phase in ('downloaded', 'staged') and c.slot is not null
    on conflict (router_id) do update set slot = excluded.slot, due_at = excluded.due_at`;
}

async function changeAnd(tx: Tx, { change, state, now }: TargetChange, more: Fragment): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with changed as (${change} returning t.router_id, t.binding_id, t.state, t.phase, t.slot),
    recorded as (
      insert into router_events (router_id, at, kind, subject, label, state, rollout_id)
      select c.router_id, ${now}::timestamptz, 'rollout', b.kind, b.label, ${state}, b.id
      from changed c join bindings b on b.id = c.binding_id where ${state} is not null
    )${more}
    select count(*)::int as changed from changed`.execute(tx);
  return rows[0]!.changed;
}
