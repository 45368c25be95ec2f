import { createHash } from 'node:crypto';
import { MAX_TRAILER_BYTES } from '@highline/image';

/** Bytes of the beginning that are kept: where simulated firmware says how it is bad. */
const HEAD_BYTES = 256;

/** Reads an image once, in memory that does not grow with it, and knows of it what flashing needs. */
export class ImageDigest {
  readonly #whole = createHash('sha256');
  /** Everything but the last bytes, which may be the trailer. */
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

  /** The last bytes, at most as many as a trailer has. */
  get tail(): Buffer {
    return this.#tail;
  }

  /** Lower-case hex of everything. */
  sha256(): string {
    return this.#whole.copy().digest('hex');
  }

  /** Of everything before a trailer of so many bytes. */
  payloadSha256(trailerSize: number): Buffer {
    return this.#start
      .copy()
      .update(this.#tail.subarray(0, this.#tail.length - trailerSize))
      .digest();
  }
}
