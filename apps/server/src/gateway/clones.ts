/** For how long a router that was found cloned is not reported again. */
const QUIET_MS = 600_000;

export interface CloneSettings {
  readonly cloneReplacements: number;
  readonly cloneWindowMs: number;
}

/**
 * Tells two routers with one identity from one that comes back. A connection is replaced in either case; but only where there are
 * two of them does the replaced one still say goodbye, and come again to replace the other.
 */
export class Clones {
  readonly #settings: CloneSettings;
  readonly #survivals = new Map<string, number[]>();
  readonly #found = new Map<string, number>();

  constructor(settings: CloneSettings) {
    this.#settings = settings;
  }

  /** A replaced connection said goodbye. @returns whether this is what shows that there are two, and nobody was told yet */
  survived(routerId: string, now: number): boolean {
    this.#forgetBefore(now);
    const recent = [...(this.#survivals.get(routerId) ?? []), now].slice(-this.#settings.cloneReplacements);
    this.#survivals.set(routerId, recent);
    if (recent.length < this.#settings.cloneReplacements || this.isFound(routerId, now)) return false;
    this.#found.set(routerId, now + QUIET_MS);
    return true;
  }

  /** Whether there are two of this router, as far as is known. */
  isFound(routerId: string, now: number): boolean {
    return (this.#found.get(routerId) ?? 0) > now;
  }

  #forgetBefore(now: number): void {
    for (const [id, times] of this.#survivals) {
      const recent = times.filter((time) => time > now - this.#settings.cloneWindowMs);
      if (recent.length === 0) this.#survivals.delete(id);
      else this.#survivals.set(id, recent);
    }
    for (const [id, until] of this.#found) if (until <= now) this.#found.delete(id);
  }
}
