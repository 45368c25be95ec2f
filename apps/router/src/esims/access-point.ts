import type { Cancel } from '../platform/scheduler.ts';
import { withEsims, withProfileApn } from '../state/esims.ts';
import type { EsimContext, RetryingSteps } from './context.ts';

/**
 * Another APN of the profile in use is another way to the cloud: the router reconnects with it, and has to call home within a window, else
 * it takes the last one back over which it did. What it knows to work is stored, so that a power cut during the trial changes nothing.
 */
export class AccessPointTrial {
  readonly #context: EsimContext;
  readonly #steps: RetryingSteps;
  #cancel: Cancel | undefined;
  #isProving = false;

  constructor(context: EsimContext, steps: RetryingSteps) {
    this.#context = context;
    this.#steps = steps;
  }

  /** The router has started: an APN that never called home is on trial again. */
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
    // The answer to the command that changed it goes over the connection before.
    this.#cancel = this.#context.scheduler.after(this.#context.timing.graceMs, () => {
      this.#context.on.reconnect();
      this.#prove();
    });
  }

  /** The cloud has spoken over what is in use. */
  calledHome(): void {
    if (this.#isOther() && !this.#isProving) return;
    this.stop();
    const { proven } = this.#context.store.current().esims;
    const used = this.#context.inUse();
    if (used === undefined || (proven?.iccid === used.iccid && proven.apn === used.apn)) return;
    const { iccid, apn } = used;
    this.#steps.take(() => this.#context.store.commit(withEsims(this.#context.store.current(), { proven: { iccid, apn } })));
  }

  /** Whether the profile in use has another APN than the one that is known to work; a switch proves another profile itself. */
  #isOther(): boolean {
    const { proven, job } = this.#context.store.current().esims;
    const used = this.#context.inUse();
    if (proven === null || used === undefined || (job !== null && job.kind !== 'download')) return false;
    return proven.iccid === used.iccid && proven.apn !== used.apn;
  }

  #prove(): void {
    this.#isProving = true;
    this.#cancel?.();
    this.#cancel = this.#context.scheduler.after(this.#context.timing.callHomeMs, () => this.#steps.take(() => this.#goBack()));
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
