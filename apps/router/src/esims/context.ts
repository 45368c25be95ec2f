import type { Log } from '../log.ts';
import type { Euicc } from '../platform/euicc.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { withoutApn } from '../state/esims.ts';
import type { StateStore } from '../state/store.ts';

export type EsimTiming = {
  /** Time limit for a profile to reach the cloud. */
  callHomeMs: number;
  /** Delay before an interrupted or failed step is retried. */
  retryMs: number;
  /** From the answer to a command to the step that ends the connection. */
  graceMs: number;
};

/** Dependencies of everything that handles profiles. */
export type EsimContext = {
  store: StateStore;
  euicc: Euicc;
  scheduler: Scheduler;
  log: Log;
  timing: EsimTiming;
  /** Whether a network accepts the current profile. */
  isRegistered(): boolean;
  /** Whether the router has a network at its WAN port, and needs no profile. */
  hasWan(): boolean;
  /** The current profile with its instance number and APN; undefined when the table does not show it. */
  inUse(): { readonly number: number; readonly iccid: string; readonly apn: string } | undefined;
  on: {
    /** The profile has changed: reconnect over it, or disconnect when no network accepts it. */
    reconnect(): void;
    /** Something visible in the data model has changed. */
    changed(): void;
    /** A command has ended, and its end is stored. */
    ended(): void;
  };
};

/** Use another profile without a command, with the APN of its own. */
export function useProfile({ euicc, store, inUse }: EsimContext, iccid: string): void {
  const next = withoutApn(store.current(), inUse());
  if (next !== store.current()) store.commit(next);
  euicc.enable(iccid);
}

/** Retries a step until its write succeeds. A step checks the stored state and can be repeated. */
export class RetryingSteps {
  readonly #context: EsimContext;
  #stopped = false;

  constructor(context: EsimContext) {
    this.#context = context;
  }

  stop(): void {
    this.#stopped = true;
  }

  run(step: () => void): void {
    if (this.#stopped) return;
    try {
      step();
    } catch (error) {
      if (this.#stopped) return;
      this.#context.log('error', 'state.not-written', { reason: String(error) });
      this.#context.scheduler.after(this.#context.timing.retryMs, () => this.run(step));
    }
  }
}
