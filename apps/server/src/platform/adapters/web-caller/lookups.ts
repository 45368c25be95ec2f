import type { HostResolver } from '../../ports/web-caller.ts';

/** Lookups of one owner at once. */
const MOST_OF_OWNER = 4;

interface Lookup {
  readonly found: PromiseWithResolvers<readonly string[]>;
  readonly ending: AbortController;
  /** The owner whose place it has; undefined = it waits for one. */
  placeOf: string | undefined;
}

/** A host to which calls are made. */
interface Name {
  readonly host: string;
  /** Calls that run, by owner. */
  readonly calls: Map<string, number>;
  lookup: Lookup | undefined;
}

/**
 * Lookups of host names for calls that run. Of each name there is one at a time, for all who need it; it ends with the last call that does. An
 * owner has a few places, so names that are resolved slowly delay only calls of their own owner.
 */
export class Lookups {
  readonly #resolver: HostResolver;
  readonly #names = new Map<string, Name>();
  /** Lookups that run, by owner. */
  readonly #running = new Map<string, number>();

  constructor(resolver: HostResolver) {
    this.#resolver = resolver;
  }

  /** A call to a host begins. @returns the call has ended */
  begin(host: string, owner: string): () => void {
    const name = this.#names.get(host) ?? { host, calls: new Map<string, number>(), lookup: undefined };
    this.#names.set(host, name);
    count(name.calls, owner, 1);
    // This owner may have a place where the others have none.
    this.#start(name);
    return () => {
      count(name.calls, owner, -1);
      if (name.calls.size > 0) return;
      this.#names.delete(host);
      name.lookup?.ending.abort();
    };
  }

  /** Resolve a host for the calls that have begun. @throws Error if there is no address, or its last call has ended */
  resolve(host: string): Promise<readonly string[]> {
    const name = this.#names.get(host);
    if (name === undefined) return Promise.reject(new Error(`No call to ${host} runs.`));
    if (name.lookup === undefined) {
      name.lookup = createLookup();
      this.#start(name);
    }
    return name.lookup.found.promise;
  }

  /** Start the lookup of a name that waits, if an owner that needs it has a place. */
  #start({ host, calls, lookup }: Name): void {
    if (lookup === undefined || lookup.placeOf !== undefined) return;
    const owner = [...calls.keys()].find((each) => (this.#running.get(each) ?? 0) < MOST_OF_OWNER);
    if (owner === undefined) return;
    lookup.placeOf = owner;
    count(this.#running, owner, 1);
    const end = () => this.#end(host, lookup, owner);
    this.#resolver.resolve(host, lookup.ending.signal).then(lookup.found.resolve, lookup.found.reject).then(end, end);
  }

  #end(host: string, lookup: Lookup, owner: string): void {
    count(this.#running, owner, -1);
    const name = this.#names.get(host);
    if (name?.lookup === lookup) name.lookup = undefined;
    for (const each of this.#names.values()) this.#start(each);
  }
}

function createLookup(): Lookup {
  const [found, ending] = [Promise.withResolvers<readonly string[]>(), new AbortController()];
  ending.signal.addEventListener('abort', () => found.reject(ending.signal.reason), { once: true });
  return { found, ending, placeOf: undefined };
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
