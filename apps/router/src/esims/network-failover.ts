import type { Cancel } from '../platform/scheduler.ts';
import { byPriority } from './order.ts';
import type { EsimContext, RetryingSteps } from './context.ts';

/**
 * No network takes the profile in use: after a while the router tries the others, one after the other, so that it comes back over
 * whichever connects. It says so by what it then reports as active. Where commands change profiles, those see to it themselves.
 */
export class NetworkFailover {
  readonly #context: EsimContext;
  readonly #steps: RetryingSteps;
  #cancel: Cancel | undefined;

  constructor(context: EsimContext, steps: RetryingSteps) {
    this.#context = context;
    this.#steps = steps;
  }

  /** The network, the profile in use or the job has changed. */
  follow(): void {
    const isNeeded = !this.#context.isRegistered() && !this.#isSwitching();
    if (isNeeded && this.#cancel === undefined) this.#wait();
    if (!isNeeded) this.stop();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(): void {
    this.#cancel = this.#context.scheduler.after(this.#context.timing.callHomeMs, () => {
      this.#cancel = undefined;
      this.#steps.take(() => this.#tryNext());
    });
  }

  #tryNext(): void {
    if (this.#context.isRegistered() || this.#isSwitching()) return;
    const profiles = this.#context.euicc.profiles();
    const order = byPriority(profiles, this.#context.store.current());
    const at = order.indexOf(profiles.find(({ inUse }) => inUse)?.iccid ?? '');
    const next = order[(at + 1) % order.length];
    if (next === undefined || order.length === 1) return;
    this.#context.euicc.enable(next);
    this.#context.log('warn', 'esim.no-network', { next });
    this.#context.on.reconnect();
    this.follow();
  }

  #isSwitching(): boolean {
    const { job } = this.#context.store.current().esims;
    return job !== null && job.kind !== 'download';
  }
}
