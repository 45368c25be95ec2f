import { doNothing, guard } from '../../../kernel/guard.ts';
import type { Log } from '../../../platform/ports/log.ts';

/** How long a frame waits for others. */
const WAIT_MS = 50;
/** Bytes that do not wait. */
const ENOUGH_BYTES = 256 * 1024;

/** Where a frame came from. */
export interface FrameSource {
  /** Never throws. */
  processFrame(frame: Buffer): void;
}

interface QueuedFrame {
  readonly source: FrameSource;
  readonly frame: Buffer;
}

/**
 * Frames of all routers that wait a moment and are processed together. A fleet at its own pace sends one here and one there, and most of what a frame
 * costs then is that the code for it has left the caches of the processor.
 */
export class FrameQueue {
  readonly #log: Pick<Log, 'error'>;
  #frames: QueuedFrame[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  add(source: FrameSource, frame: Buffer): void {
    this.#frames.push({ source, frame });
    this.#bytes += frame.length;
    if (this.#bytes >= ENOUGH_BYTES) this.drain();
    else this.#timer ??= this.#startTimer();
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(
      guard(this.#log, doNothing, () => this.drain()),
      WAIT_MS,
    );
  }

  /** Process what waits, in the order of its arrival. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bytes = 0;
    const frames = this.#frames;
    this.#frames = [];
    for (const { source, frame } of frames) source.processFrame(frame);
  }
}
