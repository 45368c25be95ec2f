import type { live } from '@highline/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Queries } from '../ports/database.ts';
import type { Scope } from '../../kernel/scope.ts';
import { plannedOnce } from '../ports/planned-once.ts';

export interface OutboxEvent {
  /** Id of the writing transaction, as text. */
  readonly xid: string;
  /** Unique among all events. */
  readonly position: string;
  readonly mainAccountId: string | null;
  readonly organizationId: string | null;
  readonly topic: live.LiveTopic;
  readonly ids: readonly string[];
}

/** Retention of events for consoles that reconnect. */
export const KEPT_MS = 3_600_000;
/** Margin before deletion, so that clocks of several servers may differ slightly. */
const SLACK_MS = 300_000;

const columns = sql`o.xid::text as xid, o.position::text as position, o.main_account_id as "mainAccountId",
  o.organization_id as "organizationId", o.topic, o.ids`;

/** A snapshot of PostgreSQL: which transactions had ended at that time. */
export interface Snapshot {
  /** In PostgreSQL's format, `xmin:xmax:running,…`. */
  readonly text: string;
  /** Every earlier transaction has ended: nothing of it can become visible later. */
  readonly horizon: string;
  /** No transaction from here on had ended. */
  readonly end: string;
  /** Transactions below `end` that were running. */
  readonly running: readonly string[];
  /** Changes when a replica becomes the primary: it may lack transactions of this snapshot, and reuse their ids. */
  readonly timeline: string;
}

interface SnapshotRow {
  readonly snapshot: string;
  readonly timeline: string;
}

function snapshotOf({ snapshot: text, timeline }: SnapshotRow): Snapshot {
  const [horizon = '', end = '', running = ''] = text.split(':');
  return { text, horizon, end, running: running === '' ? [] : running.split(','), timeline };
}

const timeline = sql`left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)`;

/** Take a snapshot of the current state. */
export async function takeSnapshot(queries: Queries): Promise<Snapshot> {
  const { rows } = await sql<SnapshotRow>`select pg_current_snapshot()::text as snapshot, ${timeline} as timeline`.execute(
    queries,
  );
  return snapshotOf(rows[0]!);
}

/** Events that someone here waits for: those of some main accounts, and those of some topics. */
export interface Interest {
  readonly mainAccounts: readonly string[];
  readonly topics: readonly live.LiveTopic[];
  /** Topics of which nothing is needed, whichever tenant they are of. */
  readonly except?: readonly live.LiveTopic[];
}

/** A range of the outbox: events that became visible after `since`, up to `until`, or up to now without it. */
export interface OutboxRange {
  readonly since: Snapshot;
  readonly until?: Snapshot | undefined;
  /** The last event of the previous page. */
  readonly after?: Pick<OutboxEvent, 'xid' | 'position'> | undefined;
  /** All events without it. */
  readonly interest?: Interest | undefined;
}

/**
 * A page of a range, in the order (xid, position), and the end of the range. Reads only rows of the range: of transactions
 * running at its beginning and of later ones, however long one of them runs.
 */
export async function readOutbox(
  queries: Queries,
  { since, until, after, interest }: OutboxRange,
  limit: number,
): Promise<{ readonly until: Snapshot; readonly events: readonly OutboxEvent[] }> {
  const more = after === undefined ? sql`` : sql`and (o.xid, o.position) > (${after.xid}::xid8, ${after.position}::bigint)`;
  const needed = interest === undefined ? sql`` : sql`and ${isNeeded(interest)}`;
  const visible = sql`pg_visible_in_snapshot(o.xid, s.snapshot) ${needed} ${more} order by o.xid, o.position limit ${limit}`;
  // One statement has one snapshot, which matches exactly these events. Without events it still returns one row.
  const { rows } = await sql<SnapshotRow & (OutboxEvent | { xid: null })>`${plannedOnce}
    select s.snapshot::text as snapshot, ${timeline} as timeline, e.*
    from (select coalesce(${until?.text ?? null}::pg_snapshot, pg_current_snapshot()) as snapshot) s
    left join lateral (
      select ${columns} from (
        (select o.* from outbox o where o.xid = any(${since.running}::xid8[]) and ${visible})
        union all
        (select o.* from outbox o where o.xid >= ${since.end}::xid8 and o.xid < pg_snapshot_xmax(s.snapshot) and ${visible})
      ) o order by o.xid, o.position limit ${limit}
    ) e on true`.execute(queries);
  return { until: snapshotOf(rows[0]!), events: rows.filter((row) => row.xid !== null) };
}

function isNeeded({ mainAccounts, topics, except = [] }: Interest): RawBuilder<unknown> {
  return sql`(o.main_account_id = any(${mainAccounts}::uuid[]) or o.topic = any(${topics}::text[])) and o.topic <> all(${except}::text[])`;
}

/** An event with the time of its transaction, as text. */
export type DatedEvent = OutboxEvent & { readonly at: string };

/** A page of the events of the last minutes, oldest first. @param after last event of the page before */
export async function listRecent(
  queries: Queries,
  minutes: number,
  after: Pick<DatedEvent, 'at' | 'position'> | undefined,
  limit: number,
): Promise<DatedEvent[]> {
  const from = after === undefined ? sql`now() - make_interval(mins => ${minutes})` : sql`${after.at}::timestamptz`;
  const { rows } = await sql<DatedEvent>`
    select ${columns}, o.created_at::text as at from outbox o
    where (o.created_at, o.position) > (${from}, ${after?.position ?? '0'}::bigint)
    order by o.created_at, o.position limit ${limit}`.execute(queries);
  return rows;
}

/** Events that concern a scope, starting at a transaction, oldest first; at most `limit`. */
export async function listSince(queries: Queries, scope: Scope, from: string, limit: number): Promise<OutboxEvent[]> {
  const { rows } = await sql<OutboxEvent>`
    select ${columns} from outbox o
    where o.xid >= ${from}::xid8 and o.main_account_id = ${scope.mainAccountId} ${within(scope)}
    order by o.xid, o.position limit ${limit}`.execute(queries);
  return rows;
}

/** Data of the main account that all its organizations read: the firmware catalogue. */
const SHARED_TOPIC: live.LiveTopic = 'firmware';

/**
 * Whether an event concerns a scope: an organization receives its own and shared events; the main account receives all of its
 * own.
 */
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

/** Whether a transaction belongs to this database's past: one from before a restore of a backup may not. */
export async function isPast(queries: Queries, xid: string): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`select ${xid}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as past`.execute(
    queries,
  );
  return rows[0]!.past;
}

/** Delete events that no console may resume from any more (retention). */
export async function purgeOutbox(database: Database, now: Date): Promise<void> {
  await database.write((tx) =>
    tx
      .deleteFrom('outbox')
      .where('created_at', '<', new Date(now.getTime() - KEPT_MS - SLACK_MS))
      .execute(),
  );
}
