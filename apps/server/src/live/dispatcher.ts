import { sql } from 'kysely';
import type { live } from '@highline/contract';
import type { Database, Queries } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';

/** Where a reader of the outbox stands: everything before it has been read. `{xid}.{position}` as text. */
export interface Place {
  readonly xid: string;
  readonly position: string;
}

export interface OutboxEvent extends Place {
  readonly mainAccountId: string | null;
  readonly organizationId: string | null;
  readonly topic: live.LiveTopic;
  readonly ids: readonly string[];
}

/** Events are kept so long for consoles that come back. */
export const KEPT_MS = 3_600_000;
/** Purged only so much later, so that clocks of several servers need not agree to the second. */
const SLACK_MS = 300_000;
/** Commits of other processes are noticed at the latest after this time; our own wake us at once. */
const POLL_MS = 500;
const BATCH = 500;

/**
 * Rows after `place`, in commit order. A row's transaction must have ended before every one still running began
 * (xid below the snapshot's xmin), or a slow commit with a lower number would be skipped for good.
 */
export async function readOutbox(queries: Queries, place: Place): Promise<OutboxEvent[]> {
  const { rows } = await sql<OutboxEvent>`
    select xid::text as xid, position::text as position, main_account_id as "mainAccountId", organization_id as "organizationId", topic, ids
    from outbox
    where (xid, position) > (${place.xid}::xid8, ${place.position}::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by xid, position limit ${BATCH}`.execute(queries);
  return rows;
}

/** The end of the outbox: what is committed later comes after it. */
export async function endOfOutbox(queries: Queries): Promise<Place> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(queries);
  // Nothing below xmin is still running; a row of xmin itself or later has a position above 0.
  return { xid: rows[0]!.xid, position: '0' };
}

/** Whether a place is one of this database's past: one from before a restore of a backup is not. */
export async function isPast(queries: Queries, place: Place): Promise<boolean> {
  const { rows } = await sql<{
    past: boolean;
  }>`select ${place.xid}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as past`.execute(queries);
  return rows[0]!.past;
}

/** Delete what no console may resume from any more (retention). */
export async function purgeOutbox(database: Database, now: Date): Promise<void> {
  await database.read
    .deleteFrom('outbox')
    .where('created_at', '<', new Date(now.getTime() - KEPT_MS - SLACK_MS))
    .execute();
}

export interface Dispatcher {
  /** Look at the outbox now: something was committed. */
  wake(): void;
  /** Hear every event from now on, in commit order. @returns how to stop hearing */
  subscribe(hear: (events: readonly OutboxEvent[]) => void): () => void;
  stop(): Promise<void>;
}

/** Read the outbox for the whole process and hand each batch to every subscriber. */
export function startDispatcher(database: Database, log: Log): Dispatcher {
  const subscribers = new Set<(events: readonly OutboxEvent[]) => void>();
  let place: Place | undefined;
  let awake = true;
  const stop = new AbortController();
  let rouse: (() => void) | undefined;

  const nap = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const readAll = async (): Promise<void> => {
    place ??= await endOfOutbox(database.read);
    for (;;) {
      const events = await readOutbox(database.read, place);
      const last = events.at(-1);
      if (last === undefined) return;
      place = { xid: last.xid, position: last.position };
      for (const hear of subscribers) hear(events);
      if (events.length < BATCH) return;
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      awake = false;
      try {
        await readAll();
      } catch (error) {
        // The place stays: after an outage reading goes on where it stood, and nothing is skipped.
        log.warn({ err: error }, 'The outbox could not be read; it will be tried again.');
      }
      if (!awake && !stop.signal.aborted) await nap();
    }
  };

  const done = run();
  return {
    wake() {
      awake = true;
      rouse?.();
    },
    subscribe(hear) {
      subscribers.add(hear);
      return () => subscribers.delete(hear);
    },
    async stop() {
      stop.abort();
      rouse?.();
      await done;
    },
  };
}
