import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openAuditKey } from '../../platform/adapters/installation/keys.ts';
import { openOwned } from '../../platform/adapters/postgres/connect.ts';
import { BlobsUnavailable } from '../../platform/ports/index.ts';
import { createLog } from '../../platform/process/log.ts';
import { StartupError } from '../../platform/settings/settings-file.ts';
import { type DatabaseSettings } from '../../platform/settings/settings-parts.ts';
import { readCommandSettings, type CommandData, type Settings } from '../../platform/settings/settings.ts';
import { CommandFault, readArguments, type Command, type Say } from '../command.ts';
import { checkFiles, checkKey, checkVersion } from './check.ts';
import { createBackup, DIRECTORY_BACKUP } from './create.ts';
import { openFiles, type FileSettings } from './files.ts';
import { readManifest, type Contents, type Manifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';

/** Copy a running or stopped installation (NOD-06). */
export const backup: Command = {
  name: 'backup',
  usage: '--to <new folder>',
  summary:
    'Copy database, firmware images and log checkpoints of this installation, as of one moment. Run it on a server, with its settings; the server keeps working.',
  async run(argv, environment, say) {
    const folder = resolve(readArguments(argv, { required: ['to'] }, 0).values['to']!);
    const settings = settingsOf(environment, ['database', 'files']);
    await reported(async () => {
      const contents = await withParts(settings.database, 'shared', settings, (parts) =>
        createBackup(folder, { ...parts, settings, say }),
      );
      say(`${folder}: ${summaryOf(contents)}.`);
      say('It does not contain the master key. Keep the key elsewhere: the backup cannot be restored without it.');
    });
  },
};

/** Fill an empty installation with a backup (NOD-06). */
export const restore: Command = {
  name: 'restore',
  usage: '--from <folder>',
  summary:
    'Fill an empty database, and an empty data folder or bucket, with a backup. Run it with the settings of the server to be started, which is not running yet, and with the master key of the backup.',
  async run(argv, environment, say) {
    const folder = resolve(readArguments(argv, { required: ['from'] }, 0).values['from']!);
    const settings = settingsOf(environment, ['database', 'files']);
    await reported(async () => {
      const manifest = await readManifest(folder);
      checkKey(manifest, settings);
      checkVersion(manifest);
      await checkFiles(folder, manifest);
      await withParts(settings.database, 'alone', settings, (parts) => restoreBackup(folder, manifest, parts));
      say(`Restored ${summaryOf(manifest)}.`);
      say('Start the server. Everyone signs in again; routers reconnect by themselves.');
    });
  },
};

/** Check a backup without touching an installation (NOD-06). */
export const verifyBackup: Command = {
  name: 'verify',
  usage: '--from <folder> [--restore]',
  summary:
    'Check every file of a backup, and that HIGHLINE_MASTER_KEY, or HIGHLINE_MASTER_KEY_PREVIOUS, is its master key. With --restore also restore it into a temporary database of this machine.',
  async run(argv, environment, say) {
    const { values, switches } = readArguments(argv, { required: ['from'], switches: ['restore'] }, 0);
    const folder = resolve(values['from']!);
    const settings = settingsOf(environment, []);
    await reported(async () => {
      const manifest = await readManifest(folder);
      const masterKey = checkKey(manifest, settings);
      await checkFiles(folder, manifest);
      if (switches.has('restore')) await restoreAside(folder, manifest, masterKey, say);
      say(`${folder} is intact: ${summaryOf(manifest)}.`);
    });
  },
};

function settingsOf(environment: NodeJS.ProcessEnv, uses: readonly CommandData[]): Settings {
  const settings = readSettingsOf(environment, uses);
  if (settings.cells?.kind === 'directory' && uses.includes('database'))
    throw new CommandFault(`CELLS is set. ${DIRECTORY_BACKUP}`);
  return settings;
}

function readSettingsOf(environment: NodeJS.ProcessEnv, uses: readonly CommandData[]): Settings {
  try {
    return readCommandSettings(environment, uses);
  } catch (error) {
    if (error instanceof StartupError) throw new CommandFault(error.message, { cause: error });
    throw error;
  }
}

/** Restore into an embedded database of its own, and open the keys as a start does. */
async function restoreAside(backup: string, manifest: Manifest, masterKey: KeyObject, say: Say): Promise<void> {
  checkVersion(manifest);
  const dataDir = await mkdtemp(join(tmpdir(), 'highline-verify-'));
  const aside = { dataDir, firmware: { folder: join(dataDir, 'blobs'), maxBytes: 0, publicKeys: [] } };
  const database: DatabaseSettings = { kind: 'embedded', folder: join(dataDir, 'postgres'), poolSize: 2 };
  try {
    await withParts(database, 'alone', aside, async (parts) => {
      await restoreBackup(backup, manifest, parts);
      await parts.database.withOwner((client) => openAuditKey({ client, masterKey, dataDir, log: parts.log }));
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  say('Restored into a temporary database; its rows, migrations and keys are in order.');
}

async function withParts<T>(
  database: DatabaseSettings,
  use: 'shared' | 'alone',
  places: FileSettings,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const log = createLog('fatal');
  const files = await openFiles(places, log);
  try {
    const opened = await openOwned(database, use, log);
    try {
      return await work({ database: opened, files, log });
    } finally {
      await opened.close();
    }
  } finally {
    files.close();
  }
}

interface Parts {
  readonly database: Awaited<ReturnType<typeof openOwned>>;
  readonly files: Awaited<ReturnType<typeof openFiles>>;
  readonly log: ReturnType<typeof createLog>;
}

/** @throws CommandFault for what an operator can mend */
async function reported(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StartupError || error instanceof BlobsUnavailable)
      throw new CommandFault(error.message, { cause: error });
    throw error;
  }
}

function summaryOf({ createdAt, version, tables, blobs, checkpoints }: Contents): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = [...tables, ...blobs, ...checkpoints].reduce((sum, each) => sum + each.bytes, 0);
  return `version ${version} as of ${createdAt}, ${rows} rows of ${tables.length} tables, ${blobs.length} firmware images, ${checkpoints.length} files of checkpoints, ${Math.ceil(bytes / 1024)} KiB`;
}
