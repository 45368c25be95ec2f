import { DomainError } from '../../kernel/failure.ts';

/** Bytes of files of routers at most at once, of all organizations: 30 of the largest captures. */
export const MOST_FILE_BYTES = 300_000_000;

/** Seconds after which a router may try again. */
const RETRY_SECONDS = 60;

/** What the files that arrive take of the memory of this process, until they are stored. */
export class FileMemory {
  #bytes = 0;

  /** @returns a function that frees the memory @throws DomainError `server.busy` */
  reserve(bytes: number): () => void {
    if (this.#bytes + bytes > MOST_FILE_BYTES) throw new DomainError('server.busy', { retryAfter: RETRY_SECONDS });
    this.#bytes += bytes;
    return () => void (this.#bytes -= bytes);
  }
}
