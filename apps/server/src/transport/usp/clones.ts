/** Do not report the same cloned router again within this time. */
const QUIET_MS = 600_000;

export interface CloneSettings {
  readonly cloneReplacements: number;
  readonly cloneWindowMs: number;
}

/**
 * Distinguishes two routers with one identity from one router that reconnects. Every new connection replaces the old one, but
 * only with two routers does the replaced one still close properly and then reconnect to replace the other.
 */
export class Clones {
  readonly #settings: CloneSettings;
  readonly #survivals = new Map<string, number[]>();
  readonly #found = new Map<string, number>();

  constructor(settings: CloneSettings) {
    this.#settings = settings;
  }

  /**
   * A replaced connection closed properly. @returns true when this is the evidence for two routers and it was not reported yet
   */
  survived(routerId: string, now: number): boolean {
    this.#dropBefore(now);
    const recent = [...(this.#survivals.get(routerId) ?? []), now].slice(-this.#settings.cloneReplacements);
    this.#survivals.set(routerId, recent);
    if (recent.length < this.#settings.cloneReplacements || this.isFound(routerId, now)) return false;
    this.#found.set(routerId, now + QUIET_MS);
    return true;
  }

  /** Whether two routers are known to use this identity. */
  isFound(routerId: string, now: number): boolean {
    return (this.#found.get(routerId) ?? 0) > now;
  }

  #dropBefore(now: number): void {
    for (const [id, times] of this.#survivals) {
      const recent = times.filter((time) => time > now - this.#settings.cloneWindowMs);
      if (recent.length === 0) this.#survivals.delete(id);
      else this.#survivals.set(id, recent);
    }
    for (const [id, until] of this.#found) if (until <= now) this.#found.delete(id);
  }
}
