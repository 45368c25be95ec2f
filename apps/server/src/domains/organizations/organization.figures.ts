import { sql } from 'kysely';
import type { Job } from '../../platform/jobs/runner.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { readOutbox, takeSnapshot, type OutboxEvent, type Snapshot } from '../../platform/outbox/index.ts';
import type { Database } from '../../platform/ports/database.ts';
import { subscriptionDay, type SubscriptionDay } from '../subscriptions/index.ts';
import { countedFigures } from './organization.figures.queries.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

const EVERY_MS = 2_000;
/** After a longer pause, and every ten minutes, all organizations are counted: the outbox may have lost its oldest rows. */
const WHOLE_MS = 10 * 60_000;
/** Organizations of one transaction, and events of one read. */
const BATCH = 200;
const EVENTS = 1_000;

/** Changes of these may change a figure. */
const TOPICS: ReadonlySet<string> = new Set(['devices', 'groups', 'rollouts', 'organizations']);

interface Progress {
  /** Up to where the outbox was read. */
  readonly read: Snapshot;
  readonly day: string;
  /** When all organizations were counted, and when the job last ran. */
  readonly wholeAt: number;
}

/**
 * Keeps the figures of the fleet overview (ATT-03): reads in the outbox which organizations changed since its last run, counts these, and
 * publishes the change to the consoles of their main accounts. All are counted at the start and at midnight UTC, when subscriptions end.
 * Several processes may run it at once: each finds the figures of the other one already written.
 * @param expiringDays a subscription that ends within this many days is expiring
 */
export function organizationFiguresJob(database: Database, expiringDays: number): Job {
  let progress: Progress | undefined;
  return {
    name: 'figures of organizations',
    everyMs: EVERY_MS,
    async run(now) {
      const day = subscriptionDay(now, expiringDays);
      const changed = await changedSince(database, progress, day, now);
      for (let from = 0; from < changed.ids.length; from += BATCH)
        await writeFigures(database, changed.ids.slice(from, from + BATCH), day);
      // Only now: after a failure the same changes are read again.
      progress = changed.progress;
    },
  };
}

async function changedSince(
  { read }: Database,
  progress: Progress | undefined,
  day: SubscriptionDay,
  now: Date,
): Promise<{ readonly ids: readonly string[]; readonly progress: Progress }> {
  const nowMs = now.getTime();
  const isRecent = progress !== undefined && progress.day === day.today && nowMs - progress.wholeAt < WHOLE_MS;
  const found = isRecent ? await changedInOutbox({ read }, progress.read) : undefined;
  if (isRecent && found !== undefined) return { ids: found.ids, progress: { ...progress, read: found.until } };
  const snapshot = await takeSnapshot(read);
  const { rows } = await sql<
    Row<'organizations', 'id'>
  >`select id from organizations where deleted_at is null order by id`.execute(read);
  return { ids: rows.map(({ id }) => id), progress: { read: snapshot, day: day.today, wholeAt: nowMs } };
}

/** The organizations of events since a snapshot, by id; undefined when the primary is another one. */
async function changedInOutbox(
  { read }: Pick<Database, 'read'>,
  since: Snapshot,
): Promise<{ readonly ids: readonly string[]; readonly until: Snapshot } | undefined> {
  const ids = new Set<string>();
  const note = (events: readonly OutboxEvent[]) => {
    for (const { organizationId, topic } of events) if (organizationId !== null && TOPICS.has(topic)) ids.add(organizationId);
  };
  let { until, events } = await readOutbox(read, { since }, EVENTS);
  if (until.timeline !== since.timeline) return undefined;
  note(events);
  while (events.length === EVENTS) {
    ({ until, events } = await readOutbox(read, { since, until, after: events.at(-1) }, EVENTS));
    note(events);
  }
  return { ids: [...ids].toSorted(), until };
}

/** The figures of organizations of any main account, counted now. Rows are locked in one order, so that two processes never wait for each other. */
async function writeFigures({ write }: Pick<Database, 'write'>, ids: readonly string[], day: SubscriptionDay): Promise<void> {
  const chosen = sql`any(${[...ids]}::uuid[])`;
  await write(async (tx) => {
    await sql`select 1 from organization_figures where organization_id = ${chosen} order by organization_id for update`.execute(
      tx,
    );
    const { rows } = await sql<{ id: string; main: string }>`${plannedOnce}
      update organization_figures f
      set devices = n.devices, online = n.online, never_connected = n.never, expiring = n.expiring, failed_rollouts = n.failed, paused_rollouts = n.paused
      from (${countedFigures(ids, day)}) n
      where f.organization_id = n.id and (f.devices, f.online, f.never_connected, f.expiring, f.failed_rollouts, f.paused_rollouts)
        is distinct from (n.devices, n.online, n.never, n.expiring, n.failed, n.paused)
      returning f.organization_id as id, f.main_account_id as main`.execute(tx);
    for (const [mainAccountId, own] of Map.groupBy(rows, ({ main }) => main))
      await announce(
        tx,
        { kind: 'main', mainAccountId },
        'organizations',
        own.map(({ id }) => id),
      );
  });
}
