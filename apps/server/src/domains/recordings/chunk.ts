import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { recordings } from '@highline/contract';

const zip = promisify(zstdCompress);
const unzip = promisify(zstdDecompress);
/** The fastest level that still finds repetitions: a terminal can show megabytes a second. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1 };
/** More than any chunk has: what waits is bounded. */
const MOST = { maxOutputLength: recordings.MAX_RECORDING_BYTES * 2 };
const LEAST_BYTES = 8 * 1024;
const LENGTH_BYTES = 4;

/** The first line of an asciicast 2 file. */
export type CastHeader = Readonly<Record<string, unknown>>;

/** Something that happened, in milliseconds since the begin: the header, bytes shown, a size, or a marker. */
export type RecordedEvent =
  | readonly [at: number, kind: 'h', header: CastHeader]
  | readonly [at: number, kind: 'o', bytes: number]
  | readonly [at: number, kind: 'r' | 'm', text: string];

/**
 * The next chunk: the bytes that were shown, the events that showed them as JSON, and the length of that. Lines of asciicast are made when it is read: to
 * escape each packet while it is shown took several times as long as all the rest. Bytes are copied into a buffer that stays: packets that are kept for a
 * second outlive the quick part of garbage collection, which then took as long as the terminal itself.
 */
export class NextChunk {
  #buffer = Buffer.allocUnsafe(LEAST_BYTES);
  #shown = 0;
  #events: RecordedEvent[] = [];

  /** Bytes shown. */
  get size(): number {
    return this.#shown;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  add(event: RecordedEvent): void {
    this.#events.push(event);
  }

  /** @param sameMs what is shown within this time is one event */
  show(at: number, bytes: Buffer, sameMs: number): void {
    const last = this.#events.at(-1);
    if (last?.[1] === 'o' && at - last[0] < sameMs)
      this.#events[this.#events.length - 1] = [last[0], 'o', last[2] + bytes.length];
    else this.add([at, 'o', bytes.length]);
    this.#reserve(bytes.length);
    this.#shown += bytes.copy(this.#buffer, this.#shown);
  }

  /** The chunk as it is stored. */
  pack(): Promise<Buffer> {
    const events = JSON.stringify(this.#events);
    const length = Buffer.byteLength(events);
    this.#reserve(length + LENGTH_BYTES);
    this.#buffer.write(events, this.#shown);
    const end = this.#buffer.writeUInt32LE(length, this.#shown + length);
    // In one step or two: by default there is one for each 16 kB.
    return zip(this.#buffer.subarray(0, end), { params: FAST, chunkSize: Math.ceil(end / 2) + LEAST_BYTES });
  }

  /** After it was packed: the buffer is used again. */
  clear(): void {
    this.#shown = 0;
    this.#events = [];
  }

  #reserve(bytes: number): void {
    const needed = this.#shown + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#buffer.copy(larger, 0, 0, this.#shown);
    this.#buffer = larger;
  }
}

/** The lines of asciicast 2 in the chunks of a recording, one text for each chunk. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // A character may be split between two packets of the router.
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) yield Buffer.from(toLines(await unzip(chunk, MOST), decoder));
}

function toLines(chunk: Buffer, decoder: StringDecoder): string {
  const end = chunk.length - LENGTH_BYTES;
  const events = JSON.parse(chunk.toString('utf8', end - chunk.readUInt32LE(end), end)) as RecordedEvent[];
  let from = 0;
  const line = ([at, kind, value]: RecordedEvent): unknown => {
    if (kind === 'h') return value;
    if (kind !== 'o') return [at / 1_000, kind, value];
    const bytes = chunk.subarray(from, from + value);
    from += value;
    return [at / 1_000, kind, decoder.write(bytes)];
  };
  return events.map((event) => `${JSON.stringify(line(event))}\n`).join('');
}
