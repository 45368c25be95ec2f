import type { Database, Log } from '../ports/index.ts';
import {
  listRecent,
  readOutbox,
  takeSnapshot,
  type DatedEvent,
  type Interest,
  type OutboxEvent,
  type OutboxRange,
  type Snapshot,
} from './outbox.ts';

/** Poll interval for commits of other processes; our own trigger a read at once. */
const POLL_MS = 500;
const BATCH = 500;
/** Longer than a failover takes: until its first reads, a process delivers nothing of the new primary. */
const FAILOVER_MINUTES = 5;

/** How far the outbox has been read. */
export interface ReadUpTo {
  /** Every event of earlier transactions was delivered; some of later ones may have been. */
  readonly xid: string;
  /** Milliseconds since that was determined. */
  readonly ageMs: number;
  /** How long the oldest running transaction has held `xid` back, milliseconds; 0 = there is none. */
  readonly horizonAgeMs: number;
}

export interface Dispatcher {
  /** Begin to read. Who subscribed before receives everything from here on. */
  start(): void;
  /** Read the outbox now: something was committed. */
  wake(): void;
  /** Receive every event from now on, once, soon after its commit. @returns unsubscribe function */
  subscribe(listener: (events: readonly OutboxEvent[]) => void): () => void;
  /** Undefined until the outbox was read for the first time. */
  readUpTo(): ReadUpTo | undefined;
  stop(): Promise<void>;
}

/**
 * Read the outbox for the whole process and deliver every event to every subscriber.
 * @param interest the events that any of them may need: of all tenants only those that use this process; undefined = all events
 */
export function createDispatcher(
  database: Database,
  log: Log,
  interest: () => Interest | undefined = () => undefined,
): Dispatcher {
  const subscribers = new Set<(events: readonly OutboxEvent[]) => void>();
  const notify = (events: readonly OutboxEvent[]): void => {
    for (const listener of subscribers) listener(events);
  };
  const reader = createReader(database, notify, interest);
  const stop = new AbortController();
  let isAwake = true;
  let isDown = false;
  let trigger: (() => void) | undefined;

  const sleep = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      trigger = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const readOnce = async (): Promise<void> => {
    try {
      await reader.read();
      if (isDown) log.info({}, 'Outbox readable again.');
      isDown = false;
    } catch (error) {
      // Reading continues from the last snapshot, so an outage skips nothing; log it once, not twice a second.
      if (!isDown) log.warn({ err: error }, 'Failed to read the outbox; retrying.');
      isDown = true;
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      isAwake = false;
      await readOnce();
      if (!isAwake && !stop.signal.aborted) await sleep();
    }
  };

  let done: Promise<void> | undefined;
  return {
    start() {
      done ??= run();
    },
    wake() {
      isAwake = true;
      trigger?.();
    },
    subscribe(listener) {
      subscribers.add(listener);
      return () => subscribers.delete(listener);
    },
    readUpTo: () => reader.upTo(),
    async stop() {
      stop.abort();
      trigger?.();
      await done;
    },
  };
}

/**
 * Transactions do not commit in the order they begin, and a long one must not delay the others. So each read returns what became
 * visible between two snapshots: exactly the commits in between, each once. Only a snapshot is kept between two reads.
 */
function createReader(
  database: Database,
  notify: (events: readonly OutboxEvent[]) => void,
  interestNow: () => Interest | undefined,
) {
  let read: Snapshot | undefined;
  let certainAt = 0;
  let horizonAt = 0;

  /** The ids of `read` may mean other transactions now, so deliver what is recent once more: an event may come twice, none is missed. */
  const readAgain = async (): Promise<Snapshot> => {
    const reached = await takeSnapshot(database.read);
    for (let after: DatedEvent | undefined; ;) {
      const events: DatedEvent[] = await listRecent(database.read, FAILOVER_MINUTES, after, BATCH);
      if (events.length > 0) notify(events);
      if (events.length < BATCH) return reached;
      after = events.at(-1);
    }
  };

  /** Deliver a range page by page. @returns its end; undefined when the primary is another one */
  const deliver = async (range: OutboxRange): Promise<Snapshot | undefined> => {
    let { until, events } = await readOutbox(database.read, range, BATCH);
    const reached = until;
    if (reached.timeline !== range.since.timeline) return undefined;
    for (;;) {
      if (events.length > 0) notify(events);
      if (events.length < BATCH) return reached;
      ({ until, events } = await readOutbox(database.read, { ...range, until: reached, after: events.at(-1) }, BATCH));
    }
  };

  const readFrom = async (since: Snapshot): Promise<Snapshot> => {
    let interest = interestNow();
    const reached = await deliver({ since, interest });
    if (reached === undefined) return readAgain();
    // A tenant that came while this was read may have read its lists before: what was left out for it follows.
    while (interest !== undefined) {
      const { mainAccounts: before, topics: except } = interest;
      const mainAccounts = interestNow()?.mainAccounts.filter((id) => !before.includes(id)) ?? [];
      if (mainAccounts.length === 0) break;
      await deliver({ since, until: reached, interest: { mainAccounts, topics: [], except } });
      interest = { ...interest, mainAccounts: [...before, ...mainAccounts] };
    }
    return reached;
  };

  return {
    upTo: (): ReadUpTo | undefined =>
      read === undefined
        ? undefined
        : {
            xid: read.horizon,
            ageMs: performance.now() - certainAt,
            horizonAgeMs: read.horizon === read.end ? 0 : performance.now() - horizonAt,
          },
    async read(): Promise<void> {
      const began = performance.now();
      const reached = read === undefined ? await takeSnapshot(database.read) : await readFrom(read);
      if (read?.horizon !== reached.horizon || read.horizon === read.end) horizonAt = began;
      read = reached;
      certainAt = began;
    },
  };
}
