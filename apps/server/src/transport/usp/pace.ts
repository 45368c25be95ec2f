import type { AgentLink } from './mtp.ts';
import type { GatewaySettings } from './settings.ts';
import type { Timed, TimerWheel } from './wheel.ts';

type PaceSettings = Pick<
  GatewaySettings,
  'framesPerSecond' | 'bytesPerSecond' | 'fieldsPerSecond' | 'framesPerSecondAtMost' | 'fullSeconds'
>;

const SECOND_MS = 1_000;

/**
 * Limits the message rate of one connection. A sender above its share within a second is not read until the next second, or for as
 * many seconds as the fields of its messages are the share of: it slows down, nothing is lost and other connections are unaffected.
 * A sender that continues, or exceeds the hard limit, is disconnected.
 */
export class Pace implements Timed {
  due = 0;
  readonly #settings: PaceSettings;
  readonly #wheel: TimerWheel;
  readonly #link: AgentLink;
  readonly #giveUp: () => void;
  /** The first and the last second of the time that is counted: one, unless fields took the share of several. */
  #second = 0;
  #lastSecond = 0;
  #frames = 0;
  #bytes = 0;
  #fields = 0;
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
    this.#followClock();
    this.#frames++;
    this.#bytes += bytes;
    if (this.#frames > framesPerSecondAtMost) this.#giveUp();
    else if (!this.#isPaused && (this.#frames > framesPerSecond || this.#bytes > bytesPerSecond)) this.#pause();
  }

  /** Count the fields of a message. They are what decoding takes time for: 100 KB may take as long as 50 MB. */
  countFields(fields: number): void {
    this.#followClock();
    this.#fields += fields;
    const seconds = Math.ceil(this.#fields / this.#settings.fieldsPerSecond);
    if (seconds <= 1) return;
    this.#lastSecond = this.#second + seconds - 1;
    if (this.#isPaused) this.#resumeLater();
    else this.#pause();
  }

  /** End of the last second. */
  fire(): void {
    this.#isPaused = false;
    this.#link.resume();
  }

  end(): void {
    this.#wheel.cancel(this);
    // The close frame of the other side must still be read.
    if (this.#isPaused) this.fire();
  }

  #followClock(): void {
    const second = Math.floor(this.#wheel.now / SECOND_MS);
    if (second > this.#lastSecond) this.#begin(second);
  }

  #begin(second: number): void {
    // A second with little or no traffic resets the count of full seconds.
    if (second > this.#lastSecond + 1 || !this.#isFull) this.#fullSeconds = 0;
    this.#isFull = false;
    this.#second = second;
    this.#lastSecond = second;
    this.#frames = 0;
    this.#bytes = 0;
    this.#fields = 0;
  }

  #pause(): void {
    if (++this.#fullSeconds > this.#settings.fullSeconds) {
      this.#giveUp();
      return;
    }
    this.#isFull = true;
    this.#isPaused = true;
    this.#link.pause();
    this.#resumeLater();
  }

  #resumeLater(): void {
    this.#wheel.schedule(this, (this.#lastSecond + 1) * SECOND_MS - this.#wheel.now);
  }
}
