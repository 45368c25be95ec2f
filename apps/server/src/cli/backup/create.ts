import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkNoBucket } from '../../platform/adapters/installation/bucket.ts';
import { findFact, ROTATING } from '../../platform/adapters/installation/facts.ts';
import { sqlState } from '../../platform/adapters/postgres/faults.ts';
import { version } from '../../platform/process/version.ts';
import { CommandFault } from '../command.ts';
import { findKeyOf } from './check.ts';
import { copyDatabase, type BackupDeps, UNDEFINED_TABLE, listImages, copyBlobs } from './copied-database.ts';
import type { InstallationFiles } from './files.ts';
import { foldersOf, writeManifest, type Contents } from './manifest.ts';
import { store } from './stored-file.ts';

/** What to do instead with the directory of cells, which has no master key and no files. */
export const DIRECTORY_BACKUP =
  'The directory of cells is not copied by this command: use pg_dump for its own PostgreSQL, or stop it and copy its data folder. An empty one is filled by the cells within a day.';

/**
 * Copy an installation into a new folder, while a server goes on writing. The database is read as of one moment. Checkpoints are
 * copied before it, so that each signs entries that are in the copy; images before and after it, so that none is missed.
 * @throws CommandFault
 */
export async function createBackup(folder: string, deps: BackupDeps): Promise<Contents> {
  const made = await makeEmpty(folder);
  try {
    return await copyAll(folder, deps);
  } catch (error) {
    // Half a backup is none, and the next one needs the same name.
    if (made) await rm(folder, { recursive: true, force: true });
    else for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    if (!isFull(error)) throw error;
    throw new CommandFault(
      `${folder}: the disk is full. What was copied is deleted again; free some of it, or name another disk.`,
      {
        cause: error,
      },
    );
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

async function copyAll(folder: string, deps: BackupDeps): Promise<Contents> {
  const { database, settings } = deps;
  const at = foldersOf(folder);
  for (const each of [at.tables, at.blobs, at.checkpoints]) await mkdir(each, { mode: 0o700 });
  return database.withOwner((client) =>
    database.withOwner(async (copier) => {
      const check = await findFact(client, 'master_key_check').catch((error: unknown) => {
        if (sqlState(error) === UNDEFINED_TABLE) return undefined;
        throw error;
      });
      if (check === undefined)
        throw new CommandFault(
          `No server has been started on this database yet, so there is nothing to copy. ${DIRECTORY_BACKUP}`,
        );
      const masterKey = findKeyOf(check, settings);
      if (masterKey === undefined)
        throw new CommandFault(
          'HIGHLINE_MASTER_KEY is not the key of this database. Run the command with the settings of the server.',
        );
      if ((await findFact(client, ROTATING)) !== undefined)
        throw new CommandFault(
          'The master key is being replaced. Wait until `highline key rotate` has ended; run it again if it was interrupted.',
        );
      if (settings.bucket === undefined) await checkNoBucket(client);
      const checkpoints = await copyCheckpoints(deps.files, at.checkpoints);
      const blobs = new Map<string, number>();
      await copyBlobs(await listImages(client), blobs, deps.files, at.blobs);
      const copied = await copyDatabase(client, copier, at.tables, blobs, deps, at.blobs);
      if ((await findFact(client, 'master_key_check')) !== check || (await findFact(client, ROTATING)) !== undefined)
        throw new CommandFault(
          'The master key was replaced during the backup, so this copy cannot be used. Delete it and run the command again.',
        );
      const contents: Contents = {
        format: 1,
        version,
        ...copied,
        masterKeyCheck: check,
        checkpoints,
      };
      await finish(at.manifest, writeManifest(contents, masterKey), folder);
      return contents;
    }),
  );
}

/** @returns whether it was made here */
async function makeEmpty(folder: string): Promise<boolean> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length === 0) return made !== undefined;
  } catch (error) {
    throw new CommandFault(`${folder} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  throw new CommandFault(`${folder} is not empty. Each backup needs a new folder.`);
}

async function copyCheckpoints(files: InstallationFiles, to: string): Promise<Contents['checkpoints']> {
  const copied: Contents['checkpoints'] = [];
  for await (const { name, open: opened } of files.checkpoints())
    copied.push({ file: name, ...(await store(join(to, name), await opened())) });
  return copied;
}

/** Durable and complete, or not there. */
async function finish(path: string, text: string, folder: string): Promise<void> {
  await writeFile(`${path}.part`, text, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
