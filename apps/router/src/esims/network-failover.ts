import type { Cancel } from '../platform/scheduler.ts';
import type { AccessPointTrial } from './access-point.ts';
import { byPriority } from './order.ts';
import { type EsimContext, type RetryingSteps, useProfile } from './context.ts';

/**
 * When no network accepts the current profile, or the cloud was not reached over it, and the WAN port carries no data either, try the others
 * one after the other until the cloud is reached over one. The result shows as the active profile. A running command handles this itself.
 */
export class NetworkFailover {
  readonly #context: EsimContext;
  readonly #steps: RetryingSteps;
  readonly #accessPoint: AccessPointTrial;
  #cancel: Cancel | undefined;

  constructor(context: EsimContext, steps: RetryingSteps, accessPoint: AccessPointTrial) {
    this.#context = context;
    this.#steps = steps;
    this.#accessPoint = accessPoint;
  }

  /** The network, the current profile or the job has changed, or the cloud was reached. */
  follow(): void {
    const isNeeded = this.#isNeeded();
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
    if (!this.#isNeeded()) return;
    const profiles = this.#context.euicc.profiles();
    const order = byPriority(profiles, this.#context.store.current());
    const at = order.indexOf(profiles.find(({ inUse }) => inUse)?.iccid ?? '');
    const next = order[(at + 1) % order.length];
    if (next === undefined || order.length === 1) return;
    useProfile(this.#context, next);
    this.#context.log('warn', 'esim.no-network', { next });
    this.#context.on.reconnect();
    this.follow();
    // Its APN may have been on trial when its network was lost.
    this.#accessPoint.start();
  }

  #isNeeded(): boolean {
    const { job, proven } = this.#context.store.current().esims;
    if (job !== null && job.kind !== 'download') return false;
    const used = this.#context.inUse();
    // A network may accept a profile and carry none of its data.
    const isUnproven = proven !== null && used !== undefined && used.iccid !== proven.iccid;
    return !this.#context.hasWan() && (!this.#context.isRegistered() || isUnproven);
  }
}
