import type { Readable } from 'node:stream';
import { openPromise, type Entry } from 'yauzl';
import { notTable, tooLarge } from './file-fault.ts';

/** Files in an archive. */
const MAX_ENTRIES = 2_000;
/** Bytes of one file when it is read: a workbook of 100,000 rows and 20 columns has about 80 MB in its sheet. */
const MAX_ENTRY_BYTES = 160 * 1_048_576;
/** Bytes of all files that are read, a file that is read twice counted twice: some seconds of a thread. */
const MAX_READ_BYTES = 240 * 1_048_576;

/** A ZIP archive whose files are read one by one, each within a limit, and all within another one. */
export interface Archive {
  has(name: string): boolean;
  /** @throws FileFault for a file that is too large, or one too many. The stream ends with an error if it has other bytes than the archive says. */
  read(name: string): Promise<Readable>;
  close(): void;
}

/** @throws FileFault if it is none */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw damaged();
  });
  const entries = new Map<string, Entry>();
  try {
    if (zip.entryCount > MAX_ENTRIES) throw damaged();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\//u, ''), entry);
  } catch {
    zip.close();
    throw damaged();
  }
  let bytes = 0;
  return {
    has: (name) => entries.has(name),
    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw damaged();
      bytes += entry.uncompressedSize;
      if (entry.uncompressedSize > MAX_ENTRY_BYTES || bytes > MAX_READ_BYTES)
        throw tooLarge('The workbook is too large to be read.');
      return zip.openReadStreamPromise(entry).catch(() => {
        throw notTable('The workbook is protected with a password, or damaged.');
      });
    },
    close: () => zip.close(),
  };
}

function damaged(): Error {
  return notTable('The workbook is damaged.');
}
