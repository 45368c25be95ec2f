import { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** States of a rollout in force. */
const STATES = ['running', 'paused'] as const;
/** A reason that is a message of the router. */
const OTHER = 'other';

/** Rollouts in force of the whole installation, for metrics, which name no tenant: every key is one of a fixed set. */
export interface RolloutFigures {
  /** By state. */
  readonly rollouts: Readonly<Record<string, number>>;
  /** Seconds since the oldest one began, by state; 0 without one. */
  readonly ages: Readonly<Record<string, number>>;
  /** Routers by state. */
  readonly targets: Readonly<Record<string, number>>;
  /** Those of them that have a reason, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Routers that have a place among the downloads, by size of their file. */
  readonly downloads: Readonly<Record<string, number>>;
}

export async function readRolloutFigures(database: Database, now: Date): Promise<RolloutFigures> {
  const inForce = await sql<Row<'bindings', 'state'> & { count: number; age: number }>`
    select state, count(*)::integer as count, extract(epoch from ${now}::timestamptz - min(created_at))::double precision as age
    from bindings where ended_at is null and state <> 'cancelled' group by state`.execute(database.read);
  const targets = await sql<Row<'rollout_targets', 'state'> & { reason: string | null; count: number }>`
    select t.state, case when t.reason is null or t.reason = any (${rollouts.rolloutReasons}::text[]) then t.reason else ${OTHER} end as reason,
      count(*)::integer as count
    from bindings b join rollout_targets t on t.binding_id = b.id where b.ended_at is null and b.state <> 'cancelled' group by 1, 2`.execute(
    database.read,
  );
  const downloads = await sql<{ size: string; count: number }>`
    select case when is_small_download(d.binding_id) then 'small' else 'large' end as size, sum(d.count)::integer as count
    from (select binding_id, count(*) as count from rollout_targets where download_since is not null group by binding_id offset 0) d
    group by 1`.execute(database.read);
  const sum = <T extends { readonly count: number }>(
    names: readonly string[],
    rows: readonly T[],
    nameOf: (row: T) => string | null,
  ) => record(names, (name) => rows.reduce((total, row) => total + (nameOf(row) === name ? row.count : 0), 0));
  return {
    rollouts: sum(STATES, inForce.rows, ({ state }) => state),
    ages: record(STATES, (state) => inForce.rows.find((row) => row.state === state)?.age ?? 0),
    targets: sum(rollouts.targetStates, targets.rows, ({ state }) => state),
    reasons: sum([...rollouts.rolloutReasons, OTHER], targets.rows, ({ reason }) => reason),
    downloads: sum(['small', 'large'], downloads.rows, ({ size }) => size),
  };
}

function record(names: readonly string[], valueOf: (name: string) => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
