import type { LeasedDelivery } from './webhook-delivery.job.queries.ts';

/** Calls of this process at once, of the endpoints of one owner, and of one endpoint: those that are slow leave places for others. */
const MOST_CALLS = 256;
const MOST_CALLS_OF_OWNER = 128;
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
  /** By owner and endpoint. */
  readonly #queues = new Map<string, Map<string, Entry[]>>();
  /** Calls that run, by endpoint, and by owner. */
  readonly #calls = new Map<string, number>();
  readonly #callsOfOwners = new Map<string, number>();
  #waiting = 0;
  #running = 0;

  /** Events that wait for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many of each endpoint are here, as a lease should count them. */
  taken(): ReadonlyMap<string, number> {
    const queues = [...this.#queues.values()].flatMap((ofOwner) => [...ofOwner]);
    return new Map(queues.map(([id, { length }]) => [id, length >= FEW_OF_ONE ? LEASED_OF_ONE : length]));
  }

  add(leased: readonly LeasedDelivery[], leasedAt: number): void {
    for (const delivery of leased) {
      const { owner_id: owner, endpoint_id: id } = delivery;
      const ofOwner = this.#queues.get(owner) ?? new Map<string, Entry[]>();
      this.#queues.set(owner, ofOwner);
      const queue = ofOwner.get(id) ?? [];
      queue.push({ delivery, leasedAt });
      ofOwner.set(id, queue);
    }
    this.#waiting += leased.length;
  }

  /**
   * Events whose calls begin now: as many as there are places. Owners, and endpoints, with the fewest calls are first. Those that waited for
   * too long are returned to the database.
   */
  begin(now: number): { readonly fresh: LeasedDelivery[]; readonly stale: LeasedDelivery[] } {
    const [fresh, stale]: [LeasedDelivery[], LeasedDelivery[]] = [[], []];
    while (this.#running < MOST_CALLS) {
      const queue = this.#next();
      if (queue === undefined) break;
      const { delivery, leasedAt } = queue.shift()!;
      this.#waiting -= 1;
      if (queue.length === 0) this.#leave(delivery);
      if (now - leasedAt > FRESH_MS) stale.push(delivery);
      else {
        fresh.push(delivery);
        this.#count(delivery, 1);
      }
    }
    return { fresh, stale };
  }

  /** A call has ended. */
  end(delivery: LeasedDelivery): void {
    this.#count(delivery, -1);
  }

  /** Take everything that waits. */
  drain(): LeasedDelivery[] {
    const all = [...this.#queues.values()].flatMap((ofOwner) => [...ofOwner.values()].flat()).map(({ delivery }) => delivery);
    this.#queues.clear();
    this.#waiting = 0;
    return all;
  }

  /** The queue whose owner has the fewest calls, of its endpoints the one with the fewest; undefined = none has a place. */
  #next(): Entry[] | undefined {
    let best: { readonly queue: Entry[]; readonly ofOwner: number; readonly own: number } | undefined;
    for (const [owner, queues] of this.#queues) {
      const ofOwner = this.#callsOfOwners.get(owner) ?? 0;
      if (ofOwner >= (best?.ofOwner ?? MOST_CALLS_OF_OWNER)) continue;
      for (const [id, queue] of queues) {
        const own = this.#calls.get(id) ?? 0;
        if (own < MOST_CALLS_OF_ONE && (best?.ofOwner !== ofOwner || own < best.own)) best = { queue, ofOwner, own };
        // An alert calls the browsers of hundreds of people: most have no call yet.
        if (own === 0) break;
      }
    }
    return best?.queue;
  }

  #leave({ owner_id: owner, endpoint_id: id }: LeasedDelivery): void {
    const ofOwner = this.#queues.get(owner)!;
    ofOwner.delete(id);
    if (ofOwner.size === 0) this.#queues.delete(owner);
  }

  #count(delivery: LeasedDelivery, change: 1 | -1): void {
    this.#running += change;
    add(this.#calls, delivery.endpoint_id, change);
    add(this.#callsOfOwners, delivery.owner_id, change);
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
