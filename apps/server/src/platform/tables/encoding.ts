import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import type { TextEncodingName } from '@highline/contract';
import { notTable } from './file-fault.ts';

/** How the text of a file is encoded. */
export interface Encoding {
  readonly name: TextEncodingName;
  /** Where the text begins: behind a byte order mark. */
  readonly start: number;
  /** The bytes do not prove it: another old code page would be as possible. */
  readonly isAssumed: boolean;
}

const HEAD_BYTES = 65_536;
/** Share of NUL bytes on one side of the pairs of UTF-16 from which it is recognized without a mark: text of mostly Latin letters. */
const NUL_SHARE = 0.4;

const startsWith = (bytes: Uint8Array, ...mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);

/** The first bytes of a file. */
export async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Decide the encoding: by a byte order mark; else UTF-16 by its NUL bytes; else UTF-8 if the whole file is valid. What is left is an
 * old code page: that of Excel for Mac if its line ends are carriage returns alone, else windows-1252, which Excel for Windows
 * uses in Western Europe and America.
 * @param chosen by the user; a mark is skipped nevertheless
 * @throws FileFault for a file with bytes that no text has
 */
export async function findEncoding(path: string, head: Buffer, chosen?: TextEncodingName): Promise<Encoding> {
  const marked = markOf(head);
  if (chosen !== undefined) return { name: chosen, start: marked?.start ?? 0, isAssumed: false };
  if (marked !== undefined && marked.name !== 'utf-8') return { ...marked, isAssumed: false };
  const wide = wideOf(head);
  if (wide !== undefined) return { name: wide, start: 0, isAssumed: false };
  const start = marked?.start ?? 0;
  const { isUtf8, hasLineFeed, hasReturn } = await inspect(path, start);
  if (isUtf8) return { name: 'utf-8', start, isAssumed: false };
  return { name: hasReturn && !hasLineFeed ? 'macintosh' : 'windows-1252', start, isAssumed: true };
}

function markOf(head: Uint8Array): Pick<Encoding, 'name' | 'start'> | undefined {
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return { name: 'utf-8', start: 3 };
  if (startsWith(head, 0xff, 0xfe)) return { name: 'utf-16le', start: 2 };
  return startsWith(head, 0xfe, 0xff) ? { name: 'utf-16be', start: 2 } : undefined;
}

function wideOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const nuls = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2]! += 1;
  const pairs = head.length / 2;
  if (nuls[1]! > pairs * NUL_SHARE && nuls[0]! < pairs * NUL_SHARE) return 'utf-16le';
  return nuls[0]! > pairs * NUL_SHARE && nuls[1]! < pairs * NUL_SHARE ? 'utf-16be' : undefined;
}

const LINE_FEED = 10;
const RETURN = 13;

/** Reads a file of single bytes completely. */
async function inspect(path: string, start: number) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const found = { isUtf8: true, hasLineFeed: false, hasReturn: false };
  const decode = (bytes?: Buffer) => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      found.isUtf8 = false;
    }
  };
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    found.hasLineFeed ||= chunk.includes(LINE_FEED);
    found.hasReturn ||= chunk.includes(RETURN);
    if (found.isUtf8) decode(chunk);
  }
  if (found.isUtf8) decode();
  return found;
}

// oxlint-disable-next-line no-control-regex -- characters of other kinds of files
export const foreign = /[\0-\u0008\u000b\u000c\u000e-\u001f]/gu;

/** The text of a file in pieces, without byte order marks. @throws FileFault at a character that no text has */
export async function* readText(path: string, { name, start }: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(name, { ignoreBOM: true });
  const plain = (text: string) => {
    if (text.search(foreign) >= 0) throw notTable('The file is not a text: it has control characters.');
    return text.replaceAll('\ufeff', '');
  };
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>)
    yield plain(decoder.decode(chunk, { stream: true }));
  yield plain(decoder.decode());
}

/**
 * A character that shows that a text was read in another encoding than it was written in, or damaged before: U+FFFD, and the
 * control characters 0x80 to 0x9f, which stand for bytes that a code page does not define.
 */
export const unreadable = /[\u0080-\u009f\ufffd]/u;
export const isUnreadable = (text: string): boolean => unreadable.test(text);
