import type { RouterView } from '../model/definition.ts';
import type { Model } from '../model/model.ts';
import { CONTROLLER } from '../model/objects/local-agent.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { readSetting } from './subscriptions.ts';
import { everyInterval, firstDelay, readPeriod } from './timing.ts';

export type HeartbeatOptions = {
  model: Model;
  router: RouterView;
  scheduler: Scheduler;
  random: () => number;
  sendPeriodic: () => void;
};

/** The interval of Periodic!, set by the controller (TR-181 Device.LocalAgent.Controller.{i}.PeriodicNotifInterval). */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #current: { period: string; cancel: Cancel } | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Apply the current settings; an unchanged interval continues. */
  follow(): void {
    const { model, router, scheduler, random, sendPeriodic } = this.#options;
    const seconds = readSetting(model, router, `${CONTROLLER}PeriodicNotifInterval`);
    const reference = readSetting(model, router, `${CONTROLLER}PeriodicNotifTime`);
    const period = `${seconds} ${reference}`;
    if (this.#current?.period === period) return;
    this.#current?.cancel();
    const read = readPeriod(seconds, reference);
    const first = firstDelay(read, router.platform.clock.now(), random());
    this.#current = { period, cancel: everyInterval(scheduler, first, read.intervalMs, sendPeriodic) };
  }

  close(): void {
    this.#current?.cancel();
  }
}
