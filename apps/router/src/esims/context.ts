import type { Log } from '../log.ts';
import type { Euicc } from '../platform/euicc.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { StateStore } from '../state/store.ts';

export type EsimTiming = {
  /** How long a profile may take to reach the cloud. */
  callHomeMs: number;
  /** Wait before what was cut off, or could not be written, is tried again. */
  retryMs: number;
  /** From the answer to a command to what ends the connection. */
  graceMs: number;
};

/** What everything needs that deals with profiles. */
export type EsimContext = {
  store: StateStore;
  euicc: Euicc;
  scheduler: Scheduler;
  log: Log;
  timing: EsimTiming;
  /** Does a network take the profile in use? */
  isRegistered(): boolean;
  /** The profile in use with its place in the table and its access point; undefined where the table does not show it. */
  inUse(): { readonly number: number; readonly iccid: string; readonly apn: string } | undefined;
  on: {
    /** Another profile is in use: connect anew over it, or not at all where no network takes it. */
    reconnect(): void;
    /** Something that the data model shows has changed. */
    changed(): void;
    /** A command has ended, and its end is stored. */
    ended(): void;
  };
};

/** Tries a step until what it writes is safe. A step looks at what is stored and can be taken twice. */
export class RetryingSteps {
  readonly #context: EsimContext;
  #stopped = false;

  constructor(context: EsimContext) {
    this.#context = context;
  }

  stop(): void {
    this.#stopped = true;
  }

  take(step: () => void): void {
    if (this.#stopped) return;
    try {
      step();
    } catch (error) {
      if (this.#stopped) return;
      this.#context.log('error', 'state.not-written', { reason: String(error) });
      this.#context.scheduler.after(this.#context.timing.retryMs, () => this.take(step));
    }
  }
}
