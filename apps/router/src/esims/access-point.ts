import type { Cancel } from '../platform/scheduler.ts';
import { withEsims, withProfileApn } from '../state/esims.ts';
import type { EsimContext, RetryingSteps } from './context.ts';

/**
 * A new APN of the current profile changes the path to the cloud: reconnect with it and require contact within a time limit, else
 * restore the last APN that worked. The working APN is stored, so a power cut during the trial changes nothing.
 */
export class AccessPointTrial {
  readonly #context: EsimContext;
  readonly #steps: RetryingSteps;
  #cancel: Cancel | undefined;
  /** The current APN waits for contact with the cloud. */
  #isProving = false;

  constructor(context: EsimContext, steps: RetryingSteps) {
    this.#context = context;
    this.#steps = steps;
  }

  get isProving(): boolean {
    return this.#isProving;
  }

  /** The router has started, or uses another profile: an APN that never called home is on trial again. */
  start(): void {
    if (this.#isOther()) this.#prove();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isProving = false;
  }

  /** Settings of profiles may have changed. */
  follow(): void {
    if (!this.#isOther()) return this.stop();
    if (this.#cancel !== undefined) return;
    // The answer to the command that changed the APN is sent over the old connection.
    this.#cancel = this.#context.scheduler.after(this.#context.timing.graceMs, () => {
      this.#context.on.reconnect();
      this.#prove();
    });
  }

  /** The cloud was reached over the current APN. */
  calledHome(): void {
    if (this.#isOther() && !this.#isProving) return;
    this.stop();
    const { proven } = this.#context.store.current().esims;
    const used = this.#context.inUse();
    if (used === undefined || (proven?.iccid === used.iccid && proven.apn === used.apn)) return;
    const { iccid, apn } = used;
    this.#steps.run(() => this.#context.store.commit(withEsims(this.#context.store.current(), { proven: { iccid, apn } })));
  }

  /** Whether the current profile has another APN than the one known to work; a switch tests another profile itself. */
  #isOther(): boolean {
    const { proven, job } = this.#context.store.current().esims;
    const used = this.#context.inUse();
    if (proven === null || used === undefined || (job !== null && job.kind !== 'download')) return false;
    return proven.iccid === used.iccid && proven.apn !== used.apn;
  }

  #prove(): void {
    this.#isProving = true;
    this.#cancel?.();
    this.#cancel = this.#context.scheduler.after(this.#context.timing.callHomeMs, () => this.#steps.run(() => this.#goBack()));
  }

  #goBack(): void {
    const { proven } = this.#context.store.current().esims;
    const used = this.#context.inUse();
    if (!this.#isOther() || proven === null || used === undefined) return this.stop();
    this.#context.store.commit(withProfileApn(this.#context.store.current(), used.number, proven.apn));
    this.stop();
    this.#context.log('warn', 'esim.apn-not-home', { apn: used.apn, back: proven.apn });
    this.#context.on.changed();
    this.#context.on.reconnect();
  }
}
