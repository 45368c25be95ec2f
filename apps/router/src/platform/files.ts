import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Whether a write failed because the disk, or the quota on it, is full. */
export function isOutOfSpace(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/**
 * Writes to a temporary file, syncs and renames it, and syncs the folder: after a crash the file holds the old or the new text. It
 * may contain passwords and keys, so only its owner can read it.
 * @param former where the old text is kept; absent: nowhere
 * @throws Error when not all of it could be written
 */
export function writeDurably(file: string, text: string, former?: string): void {
  const handle = openSync(`${file}.new`, 'w', 0o600);
  try {
    // Unlike writeSync, which may write a part only, it writes everything or throws.
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  if (former !== undefined && existsSync(file)) keepAs(former, file);
  renameSync(`${file}.new`, file);
  syncFolder(dirname(file));
}

/** A second name, so that the file is there at every moment. Where there are no such names, no former text is kept. */
function keepAs(former: string, file: string): void {
  try {
    rmSync(former, { force: true });
    linkSync(file, former);
  } catch {
    // Better than not to store the present one.
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
