import type { Timed, TimerWheel } from '../wheel.ts';

export interface PollerTask {
  intervalMs(): number;
  /** Polling ends permanently when this returns false. */
  isNeeded(): boolean;
  /** Never rejects. */
  poll(): Promise<void>;
  ended(): void;
}

/**
 * Polls one router at its interval, one poll at a time; a poll that takes longer than the interval skips the ones in between.
 */
export class Poller implements Timed {
  due = 0;
  readonly #wheel: TimerWheel;
  readonly #task: PollerTask;
  #isPolling = false;

  constructor(wheel: TimerWheel, task: PollerTask) {
    this.#wheel = wheel;
    this.#task = task;
  }

  /** The first poll is at a random time within the interval, so that a fleet that connects together is not polled together. */
  start(): void {
    this.#wheel.schedule(this, Math.random() * this.#task.intervalMs());
  }

  fire(): void {
    if (!this.#task.isNeeded()) {
      this.#task.ended();
      return;
    }
    this.#wheel.schedule(this, this.#task.intervalMs() * (0.9 + 0.2 * Math.random()));
    if (!this.#isPolling) void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    await this.#task.poll();
    this.#isPolling = false;
  }
}
