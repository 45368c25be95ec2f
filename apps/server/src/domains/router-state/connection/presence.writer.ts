import type { Database } from '../../../platform/ports/database.ts';
import type { Log } from '../../../platform/ports/log.ts';
import { Attempts, isMissingPartition, isRejection } from '../../../platform/retry/attempts.ts';
import { mergeChanges, type RouterChange } from './presence.changes.ts';
import { writeChanges, type ComparePresence, type ReplacedConnection, type TakenConnection } from './presence.store.ts';

export interface PresenceWriterSettings {
  /** How long changes are collected for a batch. */
  readonly collectMs: number;
  /** From the beginning of a batch to that of one with nothing but changes that may wait. */
  readonly patientMs: number;
  /** How long a last contact stays only in memory. */
  readonly contactFlushMs: number;
  /** Routers per transaction. */
  readonly batchRouters: number;
}

export const presenceWriterDefaults: PresenceWriterSettings = {
  collectMs: 50,
  patientMs: 1_000,
  contactFlushMs: 180_000,
  batchRouters: 1_000,
};

export interface WriterDeps {
  readonly database: Database;
  readonly log: Log;
  readonly settings: PresenceWriterSettings;
  /** Creates the history's partitions, when one is missing. */
  repair(): Promise<unknown>;
  /** Called with the ids of routers that are not in any inventory any more. */
  gone(routerIds: readonly string[]): void;
  /** Called with connections that a newer socket of the same router has replaced, maybe at another process. */
  replaced(connections: readonly ReplacedConnection[]): void;
  /** Called with routers that another node held. */
  taken(connections: readonly TakenConnection[]): void;
  /** Looks at devices whose connection changed, in the transaction of the change. */
  readonly compare?: ComparePresence | undefined;
  /** Who writes: the node that holds the routers which are online. */
  nodeId(): string;
}

/**
 * Writes changes into the database, batch by batch, and keeps each until it is committed. Pending changes of one router are
 * merged, so that their number is limited by the number of routers.
 */
export class PresenceWriter {
  readonly #deps: WriterDeps;
  readonly #attempts = new Attempts();
  readonly #pending = new Map<string, RouterChange>();
  #writing: ReadonlyMap<string, RouterChange> = new Map();
  #touched: Set<string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends. */
  #dueAt = Number.POSITIVE_INFINITY;
  #beganAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Routers with pending changes. */
  get waiting(): number {
    return this.#pending.size + this.#writing.size;
  }

  /** @param mayWait it is written with others, for which it may wait longer */
  add(change: RouterChange, mayWait = false): void {
    if (this.#closed) {
      for (const waiter of change.waiters) waiter.reject(new Error('The server is stopping.'));
      return;
    }
    this.#touched?.add(change.routerId);
    this.#pending.set(change.routerId, mergeChanges(this.#pending.get(change.routerId), change));
    const { collectMs, patientMs } = this.#deps.settings;
    this.#startWithin(mayWait ? Math.max(collectMs, this.#beganAt + patientMs - performance.now()) : collectMs);
  }

  #startWithin(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds;
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#start(), milliseconds);
  }

  /**
   * Run `look` while tracking which states change meanwhile or are not yet written: what `look` read of those may be outdated.
   * One at a time.
   */
  async observe<T>(look: (isMoving: (routerId: string) => boolean) => Promise<T>): Promise<T> {
    const touched = new Set([...this.#pending.keys(), ...this.#writing.keys()]);
    this.#touched = touched;
    try {
      return await look((routerId) => touched.has(routerId));
    } finally {
      this.#touched = undefined;
    }
  }

  /** Write all pending changes. Resolves when they are committed, however long it takes. */
  async flush(): Promise<void> {
    while (this.#pending.size > 0 || this.#running !== undefined) {
      this.#start();
      this.#attempts.wake();
      await this.#running;
    }
  }

  /** Resolves when what is pending now was written, however much comes meanwhile. */
  async whenWritten(): Promise<void> {
    // Changes are written in the order of their routers, so this one is written with the last of them or after it.
    const last = [...this.#writing.keys(), ...this.#pending.keys()].at(-1);
    if (last === undefined) return;
    await new Promise<void>((resolve) => {
      this.add({ routerId: last, events: [], waiters: [{ resolve, reject: () => resolve() }] });
    });
  }

  /** Write pending changes, at most within the timeout, and accept no more. */
  async close(timeoutMs: number): Promise<void> {
    const deadline = setTimeout(() => this.#giveUp(), timeoutMs);
    await this.flush();
    this.#closed = true;
    clearTimeout(deadline);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#pending.size > 0) this.#start();
    });
  }

  async #run(): Promise<void> {
    this.#beganAt = performance.now();
    while (this.#pending.size > 0) {
      const batch = [...this.#pending.values()].slice(0, this.#deps.settings.batchRouters);
      this.#writing = new Map(batch.map((change) => [change.routerId, change]));
      for (const { routerId } of batch) this.#pending.delete(routerId);
      await this.#writeBatch(batch);
      this.#writing = new Map();
    }
  }

  /**
   * Retries until it is written. A batch that the database itself rejects is split, so that one bad change does not block the
   * others.
   */
  #writeBatch(batch: readonly RouterChange[]): Promise<void> {
    return this.#attempts.run(
      () => this.#writeOnce(batch),
      async (fault) => {
        if (isRejection(fault) && !isMissingPartition(fault)) {
          await this.#divide(batch, fault);
          return true;
        }
        this.#deps.log.warn({ err: fault, routers: batch.length }, 'Failed to write presence; it will be retried.');
        if (isMissingPartition(fault)) await this.#deps.repair().catch(() => undefined);
        return false;
      },
    );
  }

  async #writeOnce(batch: readonly RouterChange[]): Promise<void> {
    if (this.#closed) return;
    const { gone, replaced, taken } = await this.#deps.database.write((tx) =>
      writeChanges(tx, batch, this.#deps.nodeId(), this.#deps.compare),
    );
    for (const waiter of batch.flatMap((change) => change.waiters)) waiter.resolve();
    if (gone.length > 0) this.#deps.gone(gone);
    if (replaced.length > 0) this.#deps.replaced(replaced);
    if (taken.length > 0) this.#deps.taken(taken);
  }

  async #divide(batch: readonly RouterChange[], fault: unknown): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    if (batch.length > 1) {
      await this.#writeBatch(batch.slice(0, middle));
      await this.#writeBatch(batch.slice(middle));
      return;
    }
    const [only] = batch;
    if (only === undefined) return;
    this.#deps.log.error({ err: fault, router: only.routerId }, 'The database rejected values of a router; they were dropped.');
    for (const waiter of only.waiters) waiter.reject(fault as Error);
    // Even if the rest of the change is invalid, the connection state must be written.
    const isMore = only.reported !== undefined || only.clockSkewMs !== undefined || only.events.length > 0;
    if (only.state !== undefined && isMore)
      await this.#writeBatch([{ routerId: only.routerId, state: only.state, events: [], waiters: [] }]);
  }

  #giveUp(): void {
    this.#closed = true;
    const error = new Error('The server stopped before this was written.');
    for (const { waiters } of [...this.#writing.values(), ...this.#pending.values()])
      for (const waiter of waiters) waiter.reject(error);
    this.#pending.clear();
    this.#attempts.wake();
  }
}
