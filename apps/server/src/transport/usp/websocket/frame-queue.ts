import { setImmediate as nextRound } from 'node:timers/promises';
import { doNothing, guard } from '../../../kernel/guard.ts';
import type { Log } from '../../../platform/ports/log.ts';

/** How long a frame waits for others. */
const WAIT_MS = 50;
/** Bytes that do not wait. */
const ENOUGH_BYTES = 256 * 1024;
/** How long frames are processed before the event loop goes on: while a fleet connects, calls and timers have their share, too. */
const SLICE_MS = 10;
/** How long at most, where all else takes long: what arrives meanwhile makes the next round longer. */
const LONGEST_SLICE_MS = 50;
/** Above this, the oldest are processed however long it takes: no more are kept. */
const MOST_BYTES = 16 * 1024 * 1024;
/** What a frame takes next to its bytes. */
const OVERHEAD_BYTES = 256;

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
  /** In the order of their arrival. */
  readonly #frames = new Set<QueuedFrame>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Until when frames are processed in this round of the event loop (`performance.now()`); undefined until the first one. */
  #sliceEnds: number | undefined;
  /** A slice was over before the frames were: what comes waits for those before it. */
  #isBehind = false;

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  /** @param isUrgent it does not wait for others */
  add(source: FrameSource, frame: Buffer, isUrgent: boolean): void {
    this.#frames.add({ source, frame });
    this.#bytes += frame.length + OVERHEAD_BYTES;
    if (this.#bytes >= MOST_BYTES) this.#processOldest();
    else if (this.#isBehind) return;
    else if (isUrgent || this.#bytes >= ENOUGH_BYTES) this.#process();
    else
      this.#timer ??= setTimeout(
        guard(this.#log, doNothing, () => this.#process()),
        WAIT_MS,
      );
  }

  /** Process what waits of a source that has ended. */
  finish(ended: FrameSource): void {
    for (const queued of this.#frames) if (queued.source === ended) this.#processOne(queued);
  }

  #processOldest(): void {
    for (const queued of this.#frames) {
      if (this.#bytes < MOST_BYTES) return;
      this.#processOne(queued);
    }
  }

  /** Process what waits until the slice of this round is over. */
  #process(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const queued of this.#frames) {
      if (this.#isSliceOver()) {
        this.#isBehind = true;
        this.#catchUp().catch((error: unknown) => this.#log.error({ err: error }, 'Failed to process the frames of routers.'));
        return;
      }
      this.#processOne(queued);
    }
  }

  #processOne(queued: QueuedFrame): void {
    this.#frames.delete(queued);
    this.#bytes -= queued.frame.length + OVERHEAD_BYTES;
    queued.source.processFrame(queued.frame);
  }

  /** Counted from the first frame of a round, as what a frame begins goes on after it. */
  #isSliceOver(): boolean {
    const now = performance.now();
    if (this.#sliceEnds === undefined) {
      this.#sliceEnds = now + SLICE_MS;
      setImmediate(guard(this.#log, doNothing, () => (this.#sliceEnds = undefined)));
    }
    return now >= this.#sliceEnds;
  }

  /** Process what is left in later rounds, with those that come meanwhile: each frame and what it begins, then the next one. */
  async #catchUp(): Promise<void> {
    let sliceEnds = 0;
    try {
      for (const queued of this.#frames) {
        /* oxlint-disable no-await-in-loop -- one after another is the purpose */
        const over = performance.now();
        if (over >= sliceEnds) {
          await nextRound();
          const now = performance.now();
          // As long as all else had, up to a limit: frames do not wait for the end of a crowd that connects.
          sliceEnds = now + Math.min(Math.max(SLICE_MS, now - over), LONGEST_SLICE_MS);
        }
        // It may have been processed meanwhile, as its source has ended.
        if (this.#frames.has(queued)) this.#processOne(queued);
        await Promise.resolve();
        /* oxlint-enable no-await-in-loop */
      }
    } finally {
      this.#isBehind = false;
    }
  }
}
