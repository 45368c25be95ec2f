import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

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
  const chosen = sql`(select router_id, slot from changed where phase in ('downloaded', 'staged') and slot is not null)`;
  return changeAnd(tx, change, sql`, forgotten as (${insertBootChoices(chosen, change.now)})`);
}

/** Store choices for the next boot that are to be reverted, those of connected routers at once. @param chosen rows of `router_id` and `slot` */
export function insertBootChoices(chosen: Fragment, now: Date): Fragment {
  return sql`insert into boot_choices (router_id, slot, due_at)
    select distinct on (c.router_id) c.router_id, c.slot, case when r.presence = 'online' then ${now}::timestamptz end
    from ${chosen} c join routers r on r.id = c.router_id
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
