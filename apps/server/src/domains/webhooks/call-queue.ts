import type { LeasedDelivery } from './webhook-delivery.job.queries.ts';

/** Calls of this process at once, and of one endpoint: one that is slow takes none of the others' places. */
const MOST_CALLS = 256;
const MOST_CALLS_OF_ONE = 32;
/** Events of one endpoint that are leased here together, for the next free place. */
export const LEASED_OF_ONE = 512;
/** An endpoint with fewer gets more. */
const FEW_OF_ONE = 256;
/** An event that waited for a place this long is returned: its lease could end during its call. */
const FRESH_MS = 20_000;

interface Entry {
  readonly delivery: LeasedDelivery;
  readonly leasedAt: number;
}

/** Events that this process has leased, each until there is a place for its call. */
export class CallQueue {
  readonly #queues = new Map<string, Entry[]>();
  readonly #calls = new Map<string, number>();
  #waiting = 0;
  #running = 0;

  /** Events that wait for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many of each endpoint are here, as a lease should count them. */
  taken(): ReadonlyMap<string, number> {
    return new Map([...this.#queues].map(([id, { length }]) => [id, length >= FEW_OF_ONE ? LEASED_OF_ONE : length]));
  }

  add(leased: readonly LeasedDelivery[], leasedAt: number): void {
    for (const delivery of leased) {
      const queue = this.#queues.get(delivery.endpoint_id) ?? [];
      queue.push({ delivery, leasedAt });
      this.#queues.set(delivery.endpoint_id, queue);
    }
    this.#waiting += leased.length;
  }

  /** Events whose calls begin now: as many as there are places. Those that waited for too long are returned to the database. */
  begin(now: number): { readonly fresh: LeasedDelivery[]; readonly stale: LeasedDelivery[] } {
    const [fresh, stale]: [LeasedDelivery[], LeasedDelivery[]] = [[], []];
    for (const [id, queue] of this.#queues) {
      while (queue.length > 0 && this.#hasPlace(id)) {
        const { delivery, leasedAt } = queue.shift()!;
        this.#waiting -= 1;
        if (now - leasedAt > FRESH_MS) stale.push(delivery);
        else {
          fresh.push(delivery);
          this.#running += 1;
          this.#calls.set(id, (this.#calls.get(id) ?? 0) + 1);
        }
      }
      if (queue.length === 0) this.#queues.delete(id);
    }
    return { fresh, stale };
  }

  /** A call has ended. */
  end({ endpoint_id: id }: LeasedDelivery): void {
    this.#running -= 1;
    const left = (this.#calls.get(id) ?? 1) - 1;
    if (left === 0) this.#calls.delete(id);
    else this.#calls.set(id, left);
  }

  /** Take everything that waits. */
  drain(): LeasedDelivery[] {
    const all = [...this.#queues.values()].flat().map(({ delivery }) => delivery);
    this.#queues.clear();
    this.#waiting = 0;
    return all;
  }

  #hasPlace(id: string): boolean {
    return this.#running < MOST_CALLS && (this.#calls.get(id) ?? 0) < MOST_CALLS_OF_ONE;
  }
}
