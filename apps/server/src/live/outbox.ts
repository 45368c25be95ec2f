import type { live } from '@highline/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Queries } from '../ports/database.ts';
import type { Scope } from '../scope.ts';

export interface OutboxEvent {
  /** Id of the transaction that wrote it, as text. */
  readonly xid: string;
  /** Unique among all events. */
  readonly position: string;
  readonly mainAccountId: string | null;
  readonly organizationId: string | null;
  readonly topic: live.LiveTopic;
  readonly ids: readonly string[];
}

/** Events are kept so long for consoles that come back. */
export const KEPT_MS = 3_600_000;
/** Purged only so much later, so that clocks of several servers need not agree to the second. */
const SLACK_MS = 300_000;

const columns = sql`o.xid::text as xid, o.position::text as position, o.main_account_id as "mainAccountId",
  o.organization_id as "organizationId", o.topic, o.ids`;

/** What one look at the outbox saw. */
export interface Sight {
  /** Every transaction below has ended: whatever it wrote is visible from now on, and nothing of it can come later. */
  readonly horizon: string;
  readonly events: readonly OutboxEvent[];
}

/** Events of the transactions from `from` on that are visible now, in the order (xid, position), and how far that is final. */
export async function lookAtOutbox(
  queries: Queries,
  from: string,
  after: Pick<OutboxEvent, 'xid' | 'position'> | undefined,
  limit: number,
): Promise<Sight> {
  const more = after === undefined ? sql`` : sql`and (o.xid, o.position) > (${after.xid}::xid8, ${after.position}::bigint)`;
  // One statement has one snapshot: the horizon belongs to exactly these events. Without an event there is one row all the same.
  const { rows } = await sql<{ horizon: string } & (OutboxEvent | { xid: null })>`
    select s.horizon::text as horizon, e.* from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) s
    left join lateral (
      select ${columns} from outbox o where o.xid >= ${from}::xid8 ${more} order by o.xid, o.position limit ${limit}) e on true`.execute(
    queries,
  );
  return { horizon: rows[0]!.horizon, events: rows.filter((row) => row.xid !== null) };
}

/** The transaction before which everything has ended: what is committed later was written by it or by a later one. */
export async function findHorizon(queries: Queries): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`.execute(
    queries,
  );
  return rows[0]!.horizon;
}

/** Events that concern a scope, from a transaction on, oldest first; at most `limit`. */
export async function listSince(queries: Queries, scope: Scope, from: string, limit: number): Promise<OutboxEvent[]> {
  const { rows } = await sql<OutboxEvent>`
    select ${columns} from outbox o
    where o.xid >= ${from}::xid8 and o.main_account_id = ${scope.mainAccountId} ${within(scope)}
    order by o.xid, o.position limit ${limit}`.execute(queries);
  return rows;
}

/** What the main account changes and all its organizations read: the firmware catalogue. */
const SHARED_TOPIC: live.LiveTopic = 'firmware';

/** Whether an event concerns a scope: an organization hears its own and what it shares; the main account hears all of its own. */
export function concerns(scope: Scope, event: OutboxEvent): boolean {
  if (event.mainAccountId !== scope.mainAccountId) return false;
  if (scope.kind === 'main' || event.organizationId === scope.organizationId) return true;
  return event.organizationId === null && event.topic === SHARED_TOPIC;
}

/** The same in SQL, within a main account. */
function within(scope: Scope): RawBuilder<unknown> {
  if (scope.kind === 'main') return sql``;
  return sql`and (o.organization_id = ${scope.organizationId} or (o.organization_id is null and o.topic = ${SHARED_TOPIC}))`;
}

/** Whether a transaction is one of this database's past: one from before a restore of a backup may not be. */
export async function isPast(queries: Queries, xid: string): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`select ${xid}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as past`.execute(
    queries,
  );
  return rows[0]!.past;
}

/** Delete what no console may resume from any more (retention). */
export async function purgeOutbox(database: Database, now: Date): Promise<void> {
  await database.write((tx) =>
    tx
      .deleteFrom('outbox')
      .where('created_at', '<', new Date(now.getTime() - KEPT_MS - SLACK_MS))
      .execute(),
  );
}
