/** Silent sockets per network; above that the oldest is cut. */
const SILENT_OF_NETWORK = 16;
/** Silent sockets of all networks: above that, cut the oldest of the network with the most. */
const SILENT = 256;
/** Sockets that speak SSH and have not signed in yet, per network and in total. */
const SPEAKING_OF_NETWORK = 16;
const SPEAKING = 128;

/** One socket that has not authenticated yet. */
export interface Handshake {
  /** It speaks SSH. @returns false when the limit is reached: cut it */
  speaks(): boolean;
  /** It authenticated, or has ended. */
  over(): void;
}

interface Silent {
  readonly network: string;
  readonly cut: () => void;
}

/**
 * Unauthenticated sockets at /tunnel. Anyone may open them, so they are counted by network, and silent ones never displace those
 * that speak SSH: a router does so within a round trip.
 */
export class Handshakes {
  readonly #silent = new Set<Silent>();
  readonly #speaking = new Map<string, number>();
  #speakingTotal = 0;

  /** A socket was opened. @param cut ends it */
  begin(network: string, cut: () => void): Handshake {
    const silent: Silent = { network, cut };
    this.#silent.add(silent);
    this.#cutTooMany(network);
    let state: 'silent' | 'speaking' | 'over' = 'silent';
    return {
      speaks: () => {
        if (state !== 'silent') return state === 'speaking';
        this.#silent.delete(silent);
        const ofNetwork = this.#speaking.get(network) ?? 0;
        if (ofNetwork >= SPEAKING_OF_NETWORK || this.#speakingTotal >= SPEAKING) {
          state = 'over';
          return false;
        }
        state = 'speaking';
        this.#speaking.set(network, ofNetwork + 1);
        this.#speakingTotal += 1;
        return true;
      },
      over: () => {
        if (state === 'silent') this.#silent.delete(silent);
        if (state === 'speaking') this.#leave(network);
        state = 'over';
      },
    };
  }

  #leave(network: string): void {
    const left = (this.#speaking.get(network) ?? 0) - 1;
    if (left > 0) this.#speaking.set(network, left);
    else this.#speaking.delete(network);
    this.#speakingTotal -= 1;
  }

  #cutTooMany(network: string): void {
    const counts = new Map<string, number>();
    for (const silent of this.#silent) counts.set(silent.network, (counts.get(silent.network) ?? 0) + 1);
    if (counts.get(network)! > SILENT_OF_NETWORK) this.#cutOldest(network);
    else if (this.#silent.size > SILENT)
      this.#cutOldest([...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]);
  }

  #cutOldest(network: string): void {
    // A Set keeps its order: the first is the oldest.
    for (const silent of this.#silent)
      if (silent.network === network) {
        this.#silent.delete(silent);
        silent.cut();
        return;
      }
  }
}
