import type { Readable } from 'node:stream';

/** Stored content, named by its hash. */
export interface StoredBlob {
  /** Lower-case hex; the content's only name. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** A range of bytes, both ends included, as in an HTTP Range; without `end`, to the end of the content. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** Content being read. The caller reads the stream to its end or destroys it. */
export interface OpenedBlob {
  /** Bytes of the whole content, regardless of the range. */
  readonly size: number;
  readonly stream: Readable;
}

/** The store does not answer, or rejects our key; the same call may succeed later. The message contains no secrets. */
export class BlobsUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BlobsUnavailable';
  }
}

/**
 * Files too large for the database, each under the SHA-256 of its bytes. A name always refers to complete, durable content; a
 * crash during a write leaves nothing under the name. Memory use does not grow with the size of a content.
 */
export interface BlobStore {
  /** Where the contents are, for messages; without secrets. */
  readonly location: string;
  /** Store content; the same content again is the same blob, and counts as new for `sweep`. */
  write(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredBlob | 'too-large'>;
  /** Undefined when there is no such content. A range that begins beyond the end reads nothing. */
  open(sha256: string, range?: ByteRange): Promise<OpenedBlob | undefined>;
  has(sha256: string): Promise<boolean>;
  /**
   * Address of the store at which routers read this content for a few minutes, whole or in ranges, without credentials; undefined =
   * routers do not reach the store. Does not check that the content exists.
   */
  publicUrl(sha256: string): Promise<string | undefined>;
  /** Does nothing when it is missing. */
  delete(sha256: string): Promise<void>;
  /**
   * Delete content written before a given time that is not kept, and leftovers of writes that never ended.
   * @param isKept called for each old content
   * @returns number of deleted contents
   */
  sweep(before: Date, isKept: (sha256: string) => boolean): Promise<number>;
}
