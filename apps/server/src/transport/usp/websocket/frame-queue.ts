/** How long a frame waits for others. */
const WAIT_MS = 50;
/** Bytes that do not wait. */
const ENOUGH_BYTES = 256 * 1024;

interface QueuedFrame {
  readonly handle: (frame: Buffer) => void;
  readonly frame: Buffer;
}

/**
 * Frames of all routers that wait a moment and are processed together. A fleet at its own pace sends one here and one there, and most of what a frame
 * costs then is that the code for it has left the caches of the processor.
 */
export class FrameQueue {
  #frames: QueuedFrame[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param handle never throws */
  add(handle: (frame: Buffer) => void, frame: Buffer): void {
    this.#frames.push({ handle, frame });
    this.#bytes += frame.length;
    if (this.#bytes >= ENOUGH_BYTES) this.drain();
    else this.#timer ??= setTimeout(() => this.drain(), WAIT_MS);
  }

  /** Process what waits, in the order of its arrival. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bytes = 0;
    const frames = this.#frames;
    this.#frames = [];
    for (const { handle, frame } of frames) handle(frame);
  }
}
