import type { Database, Log } from '../ports/index.ts';
import { readOutbox, takeSnapshot, type OutboxEvent, type Snapshot } from './outbox.ts';

/** Poll interval for commits of other processes; our own trigger a read at once. */
const POLL_MS = 500;
const BATCH = 500;

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
  /** Read the outbox now: something was committed. */
  wake(): void;
  /** Receive every event from now on, once, soon after its commit. @returns unsubscribe function */
  subscribe(listener: (events: readonly OutboxEvent[]) => void): () => void;
  /** Undefined until the outbox was read for the first time. */
  readUpTo(): ReadUpTo | undefined;
  stop(): Promise<void>;
}

/** Read the outbox for the whole process and deliver every event to every subscriber. */
export function startDispatcher(database: Database, log: Log): Dispatcher {
  const subscribers = new Set<(events: readonly OutboxEvent[]) => void>();
  const reader = createReader(database, (events) => {
    for (const listener of subscribers) listener(events);
  });
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

  const done = run();
  return {
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
function createReader(database: Database, notify: (events: readonly OutboxEvent[]) => void) {
  let read: Snapshot | undefined;
  let certainAt = 0;
  let horizonAt = 0;

  const readFrom = async (since: Snapshot): Promise<Snapshot> => {
    let { until, events } = await readOutbox(database.read, { since }, BATCH);
    const reached = until;
    for (;;) {
      if (events.length > 0) notify(events);
      if (events.length < BATCH) return reached;
      ({ until, events } = await readOutbox(database.read, { since, until: reached, after: events.at(-1) }, BATCH));
    }
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
