/** Sockets of one network that have sent nothing yet; the oldest is cut for another. */
const SILENT_OF_NETWORK = 16;
/** The same of all networks: the oldest of the network that has most of them is cut. */
const SILENT = 256;
/** Sockets that speak SSH and have not signed in yet, of one network and of all. */
const SPEAKING_OF_NETWORK = 16;
const SPEAKING = 128;

/** One socket on its way to prove what router it is. */
export interface Handshake {
  /** It speaks SSH. @returns false where so many do already: it is to be cut */
  speaks(): boolean;
  /** It proved itself, or is gone. */
  over(): void;
}

interface Silent {
  readonly network: string;
  readonly cut: () => void;
}

/**
 * Sockets at /tunnel of which nothing is known yet. Anyone may open them, so they are counted by network, and those that stay silent
 * take nothing from those that speak: a router says within a round trip that it speaks SSH.
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
