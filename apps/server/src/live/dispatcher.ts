import type { Database } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import { findHorizon, lookAtOutbox, type OutboxEvent } from './outbox.ts';

/** Commits of other processes are noticed at the latest after this time; our own wake us at once. */
const POLL_MS = 500;
const BATCH = 500;
/** While one transaction runs on, so many events of later ones are told before it ends; the rest wait for it. */
const MOST_EARLY = 5_000;

/** How far the outbox has been read. */
export interface ReadUpTo {
  /** Every event of a transaction below has been told; some of later ones may have been. */
  readonly xid: string;
  /** Milliseconds since that was certain. */
  readonly ageMs: number;
}

export interface Dispatcher {
  /** Look at the outbox now: something was committed. */
  wake(): void;
  /** Hear every event from now on, each once and soon after its commit. @returns how to stop hearing */
  subscribe(hear: (events: readonly OutboxEvent[]) => void): () => void;
  /** Undefined until the outbox was read for the first time. */
  readUpTo(): ReadUpTo | undefined;
  stop(): Promise<void>;
}

/** Read the outbox for the whole process and hand every event to every subscriber. */
export function startDispatcher(database: Database, log: Log): Dispatcher {
  const subscribers = new Set<(events: readonly OutboxEvent[]) => void>();
  const reader = createReader(database, (events) => {
    for (const hear of subscribers) hear(events);
  });
  const stop = new AbortController();
  let isAwake = true;
  let isDown = false;
  let rouse: (() => void) | undefined;

  const nap = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const readOnce = async (): Promise<void> => {
    try {
      await reader.read();
      if (isDown) log.info({}, 'The outbox can be read again.');
      isDown = false;
    } catch (error) {
      // Reading goes on where it stood, so an outage skips nothing; one line tells of it, not two a second.
      if (!isDown) log.warn({ err: error }, 'The outbox could not be read; it is tried again until it can.');
      isDown = true;
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      isAwake = false;
      await readOnce();
      if (!isAwake && !stop.signal.aborted) await nap();
    }
  };

  const done = run();
  return {
    wake() {
      isAwake = true;
      rouse?.();
    },
    subscribe(hear) {
      subscribers.add(hear);
      return () => subscribers.delete(hear);
    },
    readUpTo: () => reader.upTo(),
    async stop() {
      stop.abort();
      rouse?.();
      await done;
    },
  };
}

/**
 * Transactions commit in another order than they begin. Waiting for the oldest one before telling of the younger would keep the order,
 * but a long import would then hold back what everybody else does. So an event is told as soon as it is visible; those above the
 * horizon are remembered, and looked past when the transactions from there on are read again.
 */
function createReader(database: Database, tell: (events: readonly OutboxEvent[]) => void) {
  let horizon: string | undefined;
  let certainAt = 0;
  let early = new Set<string>();

  const readFrom = async (from: string): Promise<void> => {
    // The first look's horizon counts: what it did not see yet belongs to a transaction from there on.
    let sight = await lookAtOutbox(database.read, from, undefined, BATCH);
    const reached = sight.horizon;
    const above = new Set<string>();
    for (;;) {
      const fresh = sight.events.filter(({ position }) => !early.has(position));
      for (const { position } of fresh) early.add(position);
      for (const { xid, position } of sight.events) if (BigInt(xid) >= BigInt(reached)) above.add(position);
      if (fresh.length > 0) tell(fresh);
      if (sight.events.length < BATCH) break;
      sight = await lookAtOutbox(database.read, from, sight.events.at(-1), BATCH);
    }
    horizon = reached;
    early = above;
  };

  return {
    upTo: (): ReadUpTo | undefined =>
      horizon === undefined ? undefined : { xid: horizon, ageMs: performance.now() - certainAt },
    async read(): Promise<void> {
      const began = performance.now();
      if (horizon === undefined) horizon = await findHorizon(database.read);
      else if (early.size < MOST_EARLY || (await findHorizon(database.read)) !== horizon) await readFrom(horizon);
      certainAt = began;
    },
  };
}
