import { lstat, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommandFault } from './command.ts';
import { saveFile } from './saved-file.ts';

test('LOG-02-partial HKS-03-partial a saved file is whole, or there is none, and one line says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'highline-saved-'));
  try {
    const file = join(folder, 'log.ndjson');
    let sent = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 2) controller.error(new Error('terminated'));
        else controller.enqueue(new Uint8Array(100_000));
      },
    });
    await expect(saveFile(broken, file)).rejects.toThrow(new CommandFault(`${file} could not be saved: terminated`));
    expect(await readdir(folder)).toEqual([]);
    await saveFile(new Blob(['whole']).stream(), file);
    expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['log.ndjson'], 'whole']);
    // A link, as /dev/stdout is one, stays.
    const link = join(folder, 'link');
    await symlink(file, link);
    await saveFile(new Blob(['through the link']).stream(), link);
    expect([(await lstat(link)).isSymbolicLink(), await readFile(file, 'utf8')]).toEqual([true, 'through the link']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
