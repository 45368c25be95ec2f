import type { AgentLink } from './mtp.ts';
import type { GatewaySettings } from './settings.ts';
import type { Timed, TimerWheel } from './wheel.ts';

type PaceSettings = Pick<GatewaySettings, 'framesPerSecond' | 'bytesPerSecond' | 'framesPerSecondAtMost' | 'fullSeconds'>;

const SECOND_MS = 1_000;

/**
 * Limits the message rate of one connection. A sender above its share within a second is not read until the next second: it slows
 * down, nothing is lost and other connections are unaffected. A sender that continues, or exceeds the hard limit, is
 * disconnected.
 */
export class Pace implements Timed {
  due = 0;
  readonly #settings: PaceSettings;
  readonly #wheel: TimerWheel;
  readonly #link: AgentLink;
  readonly #giveUp: () => void;
  #second = 0;
  #frames = 0;
  #bytes = 0;
  #isFull = false;
  #fullSeconds = 0;
  #isPaused = false;

  constructor(settings: PaceSettings, wheel: TimerWheel, link: AgentLink, giveUp: () => void) {
    this.#settings = settings;
    this.#wheel = wheel;
    this.#link = link;
    this.#giveUp = giveUp;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Count a frame by its bytes. Frames read before a pause took effect still arrive, and count. */
  count(bytes: number): void {
    const { framesPerSecond, bytesPerSecond, framesPerSecondAtMost } = this.#settings;
    const second = Math.floor(this.#wheel.now / SECOND_MS);
    if (second !== this.#second) this.#begin(second);
    this.#frames++;
    this.#bytes += bytes;
    if (this.#frames > framesPerSecondAtMost) this.#giveUp();
    else if (!this.#isPaused && (this.#frames > framesPerSecond || this.#bytes > bytesPerSecond)) this.#pause();
  }

  /** End of the current second. */
  fire(): void {
    this.#isPaused = false;
    this.#link.resume();
  }

  end(): void {
    this.#wheel.cancel(this);
    // The close frame of the other side must still be read.
    if (this.#isPaused) this.fire();
  }

  #begin(second: number): void {
    // A second with little or no traffic resets the count of full seconds.
    if (second > this.#second + 1 || !this.#isFull) this.#fullSeconds = 0;
    this.#isFull = false;
    this.#second = second;
    this.#frames = 0;
    this.#bytes = 0;
  }

  #pause(): void {
    if (++this.#fullSeconds > this.#settings.fullSeconds) {
      this.#giveUp();
      return;
    }
    this.#isFull = true;
    this.#isPaused = true;
    this.#link.pause();
    this.#wheel.schedule(this, (this.#second + 1) * SECOND_MS - this.#wheel.now);
  }
}
