import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The text of a file; undefined when there is none. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes to a temporary file, syncs and renames it, and syncs the folder: after a crash the file holds the old or the new text. It
 * may contain passwords and keys, so only its owner can read it.
 */
export function writeDurably(file: string, text: string): void {
  const handle = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.new`, file);
  syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
