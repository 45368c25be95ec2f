import type { Readable } from 'node:stream';

/** Content that was stored, named by what it is. */
export interface StoredBlob {
  /** Lower-case hex; the content's only name. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Bytes of a content, both ends included, as in an HTTP Range; without `end`, to its end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** Content that is being read. Whoever opened it reads the stream to its end or destroys it. */
export interface OpenedBlob {
  /** Bytes of the whole content, whatever range was asked for. */
  readonly size: number;
  readonly stream: Readable;
}

/**
 * Files too large for the database, each under the SHA-256 of its bytes. What stands under a name is whole and on disk; a crash
 * while it is written leaves nothing under the name. Memory does not grow with the size of a content.
 */
export interface BlobStore {
  /** Take content in; the same content again is the same blob, and counts as new for `sweep`. */
  write(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredBlob | 'too-large'>;
  /** Undefined when there is no such content. A range that begins behind the end reads nothing. */
  open(sha256: string, range?: ByteRange): Promise<OpenedBlob | undefined>;
  has(sha256: string): Promise<boolean>;
  /** Absent already is fine. */
  delete(sha256: string): Promise<void>;
  /**
   * Delete what was written before a moment and is not kept, and what writes that never ended left behind.
   * @param isKept asked about each old content
   * @returns how many contents were deleted
   */
  sweep(before: Date, isKept: (sha256: string) => boolean): Promise<number>;
}
