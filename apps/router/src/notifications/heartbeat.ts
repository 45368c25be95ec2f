import type { RouterView } from '../model/definition.ts';
import type { Model } from '../model/model.ts';
import { CONTROLLER } from '../model/objects/local-agent.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { readSetting } from './subscriptions.ts';
import { everyBeat, firstBeat, readRhythm } from './timing.ts';

export type HeartbeatOptions = {
  model: Model;
  router: RouterView;
  scheduler: Scheduler;
  random: () => number;
  beat: () => void;
};

/** The interval of Periodic!, set by the controller (TR-181 Device.LocalAgent.Controller.{i}.PeriodicNotifInterval). */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #current: { rhythm: string; cancel: Cancel } | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Apply the current settings; an unchanged interval continues. */
  follow(): void {
    const { model, router, scheduler, random, beat } = this.#options;
    const seconds = readSetting(model, router, `${CONTROLLER}PeriodicNotifInterval`);
    const reference = readSetting(model, router, `${CONTROLLER}PeriodicNotifTime`);
    const rhythm = `${seconds} ${reference}`;
    if (this.#current?.rhythm === rhythm) return;
    this.#current?.cancel();
    const read = readRhythm(seconds, reference);
    const first = firstBeat(read, router.platform.clock.now(), random());
    this.#current = { rhythm, cancel: everyBeat(scheduler, first, read.intervalMs, beat) };
  }

  close(): void {
    this.#current?.cancel();
  }
}
