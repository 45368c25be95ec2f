import { createHash } from 'node:crypto';
import { MAX_TRAILER_BYTES } from '@highline/image';

/** Bytes of the beginning that are kept: they contain the fault line of simulated firmware. */
const HEAD_BYTES = 256;

/** Reads an image once, in bounded memory, and computes what flashing needs. */
export class ImageDigest {
  readonly #whole = createHash('sha256');
  /** Everything except the last bytes, which may be the trailer. */
  readonly #start = createHash('sha256');
  #tail: Buffer = Buffer.alloc(0);
  #head: Buffer = Buffer.alloc(0);
  size = 0;

  update(chunk: Uint8Array): void {
    this.#whole.update(chunk);
    this.size += chunk.length;
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)]);
    const joined = Buffer.concat([this.#tail, chunk]);
    const certain = Math.max(0, joined.length - MAX_TRAILER_BYTES);
    this.#start.update(joined.subarray(0, certain));
    this.#tail = Buffer.from(joined.subarray(certain));
  }

  get head(): Buffer {
    return this.#head;
  }

  /** The last bytes, at most the size of a trailer. */
  get tail(): Buffer {
    return this.#tail;
  }

  /** Digest of everything, lower-case hex. */
  sha256(): string {
    return this.#whole.copy().digest('hex');
  }

  /** Digest of everything before a trailer of this size. */
  payloadSha256(trailerSize: number): Buffer {
    return this.#start
      .copy()
      .update(this.#tail.subarray(0, this.#tail.length - trailerSize))
      .digest();
  }
}
