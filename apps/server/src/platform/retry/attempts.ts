import { setTimeout as pause } from 'node:timers/promises';

const LEAST_WAIT_MS = 100;
const MOST_WAIT_MS = 5_000;

/** Attempts at one write after another, with a longer pause after each failure. */
export class Attempts {
  #pause = new AbortController();

  /** Runs `attempt` until it succeeds, or until `isFinal` decides that no attempt follows a failure. */
  async run(attempt: () => Promise<unknown>, isFinal: (fault: unknown) => boolean | Promise<boolean>): Promise<void> {
    for (let wait = LEAST_WAIT_MS; ; wait = Math.min(wait * 2, MOST_WAIT_MS)) {
      try {
        await attempt();
        return;
      } catch (error) {
        if (await isFinal(error)) return;
      }
      this.#pause = new AbortController();
      await pause(wait, undefined, { signal: this.#pause.signal }).catch(() => undefined);
    }
  }

  /** End the present pause. */
  wake(): void {
    this.#pause.abort();
  }
}

/** SQLSTATE classes 22 (data) and 23 (constraints, also a missing partition), and 08P01 (more parameters than a statement may have): an unchanged attempt would fail again. */
export function isRejection(fault: unknown): boolean {
  return /^(?:2[23]|08P01)/u.test(codeOf(fault));
}

/** A row for which no partition exists. */
export function isMissingPartition(fault: unknown): boolean {
  return codeOf(fault) === '23514';
}

function codeOf(fault: unknown): string {
  return String((fault as { readonly code?: unknown } | null)?.code);
}
