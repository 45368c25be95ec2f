import type { Cancel } from '../platform/scheduler.ts';
import { byPriority } from './order.ts';
import type { EsimContext, RetryingSteps } from './context.ts';

/**
 * When no network accepts the current profile, try the others one after the other until one connects. The result shows as the
 * active profile. A running command handles this itself.
 */
export class NetworkFailover {
  readonly #context: EsimContext;
  readonly #steps: RetryingSteps;
  #cancel: Cancel | undefined;

  constructor(context: EsimContext, steps: RetryingSteps) {
    this.#context = context;
    this.#steps = steps;
  }

  /** The network, the current profile or the job has changed. */
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
      this.#steps.run(() => this.#tryNext());
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
