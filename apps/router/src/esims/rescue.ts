import type { Cancel } from '../platform/scheduler.ts';
import { byPriority } from './order.ts';
import type { EsimRoom, SureSteps } from './room.ts';

/**
 * No network takes the profile in use: after a while the router tries the others, one after the other, so that it comes back over
 * whichever connects. It says so by what it then reports as active. Where commands change profiles, those see to it themselves.
 */
export class Rescue {
  readonly #room: EsimRoom;
  readonly #steps: SureSteps;
  #cancel: Cancel | undefined;

  constructor(room: EsimRoom, steps: SureSteps) {
    this.#room = room;
    this.#steps = steps;
  }

  /** The network, the profile in use or the job has changed. */
  follow(): void {
    const isNeeded = !this.#room.isRegistered() && !this.#isSwitching();
    if (isNeeded && this.#cancel === undefined) this.#wait();
    if (!isNeeded) this.stop();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(): void {
    this.#cancel = this.#room.scheduler.after(this.#room.timing.callHomeMs, () => {
      this.#cancel = undefined;
      this.#steps.take(() => this.#tryNext());
    });
  }

  #tryNext(): void {
    if (this.#room.isRegistered() || this.#isSwitching()) return;
    const profiles = this.#room.euicc.profiles();
    const order = byPriority(profiles, this.#room.store.current());
    const at = order.indexOf(profiles.find(({ inUse }) => inUse)?.iccid ?? '');
    const next = order[(at + 1) % order.length];
    if (next === undefined || order.length === 1) return;
    this.#room.euicc.enable(next);
    this.#room.log('warn', 'esim.no-network', { next });
    this.#room.on.reconnect();
    this.follow();
  }

  #isSwitching(): boolean {
    const { job } = this.#room.store.current().esims;
    return job !== null && job.kind !== 'download';
  }
}
