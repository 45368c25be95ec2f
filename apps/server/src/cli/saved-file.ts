import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CommandFault } from './command.ts';

/**
 * Save what a server sends as a file, which gets its name only once it is complete; nothing is left of one that is not. What has this name
 * and is no plain file, such as a link or /dev/stdout, is written into.
 * @throws CommandFault where the file cannot be written, or the rest of it does not arrive
 */
export async function saveFile(body: unknown, file: string, mode = 0o666): Promise<void> {
  const isPlain = await lstat(file).then(
    (found) => found.isFile(),
    () => true,
  );
  const unfinished = isPlain ? `${file}.part` : file;
  try {
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(unfinished, { mode }));
    if (isPlain) await rename(unfinished, file);
  } catch (error) {
    if (isPlain) await rm(unfinished, { force: true }).catch(() => {});
    throw new CommandFault(`${file} could not be saved: ${(error as Error).message}`, { cause: error });
  }
}
