import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

export interface SpoolLimits {
  /** Bytes of one response in memory; further unread bytes go to a file. */
  readonly memoryBytes: number;
  /** Bytes of one response on disk. */
  readonly fileBytes: number;
  /** Bytes of all answers on disk. */
  readonly diskBytes: number;
  /** A reader that reads nothing for this long is disconnected. */
  readonly stallMs: number;
}

export const usualSpoolLimits: SpoolLimits = {
  memoryBytes: 1_048_576,
  fileBytes: 64 * 1_048_576,
  // More than the readers of one tenant may fill.
  diskBytes: 2_048 * 1_048_576,
  stallMs: 120_000,
};

const READ_BYTES = 65_536;
/** Prefix of the names of spooled answers, followed by the process id. */
export const SPOOLED_RESPONSE = 'answer-';

/**
 * Buffers answers with slow readers, so that their source (a database connection, a queue slot) is free as soon as the response is
 * complete. A small part of a response is in memory; the rest is in an unlinked file, which disappears with the process.
 */
export class Spool {
  readonly #folder: string;
  readonly #limits: SpoolLimits;
  #diskBytes = 0;

  constructor(folder: string, limits: SpoolLimits = usualSpoolLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Bytes on disk now. */
  get diskBytes(): number {
    return this.#diskBytes;
  }

  /**
   * Return the bytes of `source`, which is read at full speed.
   * @param produced called once, when `source` has ended, failed or been cut off
   */
  keep(source: Readable, produced: () => void): Readable {
    const response = new SpooledResponse(source, this.#folder, this.#limits, {
      take: (bytes) => {
        if (this.#diskBytes + bytes > this.#limits.diskBytes) return false;
        this.#diskBytes += bytes;
        return true;
      },
      giveBack: (bytes) => void (this.#diskBytes -= bytes),
    });
    const stalled = () => readable.destroy(new Error('The reader of an answer was too slow.'));
    const readable = Readable.from(response.read(stalled), { objectMode: false, highWaterMark: READ_BYTES });
    // A generator that never started is not notified of its end.
    readable.once('close', () => response.end());
    void response.fill().finally(produced);
    return readable;
  }
}

interface Disk {
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** One response: the oldest bytes in memory, later ones in a file. */
class SpooledResponse {
  readonly #source: Readable;
  readonly #folder: string;
  readonly #limits: SpoolLimits;
  readonly #disk: Disk;
  readonly #memory: Buffer[] = [];
  #memoryBytes = 0;
  #file: Promise<FileHandle> | undefined;
  /** File offsets: bytes read, bytes stored, bytes stored or being written, and the largest size so far. */
  #read = 0;
  #stored = 0;
  #written = 0;
  #reserved = 0;
  #isComplete = false;
  #failure: unknown;
  #isOver = false;
  #changed: () => void = () => {};
  #change = Promise.resolve();

  constructor(source: Readable, folder: string, limits: SpoolLimits, disk: Disk) {
    this.#source = source;
    this.#folder = folder;
    this.#limits = limits;
    this.#disk = disk;
    this.#expectChange();
  }

  /** Read the whole source. Never rejects: the reader receives a failure. */
  async fill(): Promise<void> {
    try {
      for await (const chunk of this.#source as AsyncIterable<Buffer | string>) {
        await this.#put(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
        if (this.#isOver) break;
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#isComplete = true;
    this.#signal();
  }

  /** @param stalled called when the reader was too slow */
  async *read(stalled: () => void): AsyncGenerator<Buffer> {
    try {
      for (let chunk = await this.#take(); chunk !== undefined; chunk = await this.#take()) {
        const timer = setTimeout(stalled, this.#limits.stallMs);
        yield chunk;
        clearTimeout(timer);
      }
    } finally {
      this.end();
    }
  }

  /** The reader disconnected, or has everything. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source.destroy();
    this.#memory.length = 0;
    this.#signal();
    void this.#closeFile();
  }

  /** Resolves when more may come. @throws the error of the disk */
  async #put(chunk: Buffer): Promise<void> {
    while (!this.#isOver) {
      const isFileRead = this.#read === this.#written;
      if (isFileRead && (this.#memoryBytes === 0 || this.#memoryBytes + chunk.length <= this.#limits.memoryBytes)) {
        this.#memory.push(chunk);
        this.#memoryBytes += chunk.length;
        return this.#signal();
      }
      if (this.#reserve(chunk.length)) return this.#write(chunk);
      // Neither memory nor disk is left: the source waits for the reader.
      await this.#change;
    }
  }

  #reserve(bytes: number): boolean {
    const more = this.#written + bytes - this.#reserved;
    if (more <= 0) return true;
    if (this.#written + bytes > this.#limits.fileBytes || !this.#disk.take(more)) return false;
    this.#reserved += more;
    return true;
  }

  async #write(chunk: Buffer): Promise<void> {
    this.#written += chunk.length;
    this.#file ??= this.#openFile();
    const file = await this.#file;
    for (let done = 0; done < chunk.length && !this.#isOver;) {
      const { bytesWritten } = await file.write(chunk, done, chunk.length - done, this.#stored);
      done += bytesWritten;
      this.#stored += bytesWritten;
    }
    this.#signal();
  }

  /** The next bytes in order; undefined at the end. @throws the error of the source or the disk */
  async #take(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#memory.shift();
      if (chunk !== undefined) {
        this.#memoryBytes -= chunk.length;
        this.#signal();
        return chunk;
      }
      if (this.#read < this.#stored) return this.#takeFromFile();
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isComplete || this.#isOver) return undefined;
      await this.#change;
    }
  }

  async #takeFromFile(): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, this.#stored - this.#read));
    const file = await this.#file!;
    const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#read);
    if (bytesRead === 0) throw new Error('A spooled answer is shorter than what was written.');
    this.#read += bytesRead;
    // The file is fully read and no write is pending: continue in memory, or overwrite it from the start.
    if (this.#read === this.#written) this.#read = this.#stored = this.#written = 0;
    this.#signal();
    return buffer.subarray(0, bytesRead);
  }

  async #openFile(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${SPOOLED_RESPONSE}${process.pid}-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  }

  /** Closing a handle waits for pending operations. */
  async #closeFile(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    await file?.close().catch(() => {});
    this.#disk.giveBack(this.#reserved);
  }

  #expectChange(): void {
    this.#change = new Promise((resolve) => {
      this.#changed = resolve;
    });
  }

  /** Resume all waiters. */
  #signal(): void {
    this.#changed();
    this.#expectChange();
  }
}
