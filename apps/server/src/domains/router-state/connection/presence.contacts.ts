import type { Contact, Contacts } from '../../../platform/ports/contacts.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { writeContacts } from './presence.store.ts';

export interface ContactBookDeps extends Pick<Deps, 'database' | 'log'> {
  /** How long a contact stays only in memory, and may be lost in a crash. Milliseconds. */
  readonly flushMs: number;
  /** Routers per transaction. */
  readonly batchRouters: number;
  isConnected(routerId: string): boolean;
}

/**
 * The last contact of connected routers. A heartbeat changes only memory; the database is updated in batches, and with every
 * change of the connection.
 */
export class ContactBook implements Contacts {
  readonly #deps: ContactBookDeps;
  readonly #latest = new Map<string, Contact>();
  readonly #unsaved = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: ContactBookDeps) {
    this.#deps = deps;
  }

  latest(routerId: string): Contact | undefined {
    return this.#latest.get(routerId);
  }

  /** @param rssi dBm; undefined keeps the previous one */
  record(routerId: string, at: Date, rssi?: number | null): Contact {
    const before = this.#latest.get(routerId);
    const contact = {
      at: before !== undefined && before.at > at ? before.at : at,
      rssi: rssi === undefined ? before?.rssi : rssi,
    };
    this.#latest.set(routerId, contact);
    this.#unsaved.add(routerId);
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), this.#deps.flushMs);
    return contact;
  }

  /** This contact is committed. */
  saved(routerId: string, contact: Contact): void {
    if (this.#latest.get(routerId) !== contact) return;
    this.#unsaved.delete(routerId);
    if (!this.#deps.isConnected(routerId)) this.#latest.delete(routerId);
  }

  /** Write every contact that is not committed yet. A failed one stays for the next flush. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#running.then(() => this.#write());
    return this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  async #write(): Promise<void> {
    const { database, log, batchRouters } = this.#deps;
    // In one order for all transactions, to avoid deadlocks.
    const ids = [...this.#unsaved].sort();
    for (let start = 0; start < ids.length; start += batchRouters) {
      const batch = ids
        .slice(start, start + batchRouters)
        .map((routerId) => ({ routerId, contact: this.#latest.get(routerId)! }));
      try {
        await database.write((tx) => writeContacts(tx, batch));
      } catch (error) {
        log.warn({ err: error }, 'Failed to write last contacts; the next flush retries.');
        if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), this.#deps.flushMs);
        return;
      }
      for (const { routerId, contact } of batch) this.saved(routerId, contact);
    }
  }
}
