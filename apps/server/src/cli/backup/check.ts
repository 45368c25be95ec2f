import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { masterKeyCheck } from '../../platform/adapters/installation/keys.ts';
import { readMigrations } from '../../platform/adapters/postgres/migrations.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { CommandFault } from '../command.ts';
import { foldersOf, isSealed, type Manifest } from './manifest.ts';
import { measure, type Stored } from './stored-file.ts';

type MasterKeys = Pick<Settings, 'masterKey' | 'previousMasterKey'>;

/** Which of the given keys has this check: before a rotation begins, the settings already have the next one. */
export function findKeyOf(check: string, { masterKey, previousMasterKey }: MasterKeys): KeyObject | undefined {
  return [masterKey, previousMasterKey].find((key) => key !== undefined && masterKeyCheck(key) === check);
}

/**
 * @returns the master key that the backup was made with
 * @throws CommandFault unless it is one of the given keys, and the manifest was not changed since
 */
export function checkKey(manifest: Manifest, keys: MasterKeys): KeyObject {
  const key = findKeyOf(manifest.masterKeyCheck, keys);
  if (key === undefined)
    throw new CommandFault(
      'HIGHLINE_MASTER_KEY is not the key of this backup: its config files, second factors, eSIM codes and keys could not be read. Set the key of the installation that made it. Nothing was written.',
    );
  if (!isSealed(manifest, key)) throw new CommandFault('The manifest of this backup was changed. Nothing was written.');
  return key;
}

/** @throws CommandFault when a file is missing, cut or changed; it names the first one */
export async function checkFiles(backup: string, { tables, blobs, checkpoints }: Manifest): Promise<void> {
  const at = foldersOf(backup);
  const expected: [string, Stored][] = [
    ...tables.map((each): [string, Stored] => [join(at.tables, each.file), each]),
    ...blobs.map((each): [string, Stored] => [join(at.blobs, each.sha256), each]),
    ...checkpoints.map((each): [string, Stored] => [join(at.checkpoints, each.file), each]),
  ];
  for (const [path, { bytes, sha256 }] of expected) {
    const found = await measure(path).catch((error: unknown) => {
      throw new CommandFault(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    });
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new CommandFault(`${path} is not as it was written: ${found.bytes} of ${bytes} bytes, SHA-256 ${found.sha256}.`);
  }
}

/** @throws CommandFault unless this version knows each migration of the backup */
export function checkVersion({ migrations, version }: Manifest): void {
  const known = new Map(readMigrations().map((each) => [each.number, each]));
  for (const { number, name, checksum } of migrations)
    if (known.get(number)?.checksum !== checksum)
      throw new CommandFault(
        `The backup was made with version ${version}, whose migration ${name} this version does not have. Restore it with that version or a newer one.`,
      );
}
