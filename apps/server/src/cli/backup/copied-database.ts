import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createZstdCompress } from 'node:zlib';
import { escapeIdentifier, type Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { findFact } from '../../platform/adapters/installation/facts.ts';
import type { OwnedDatabase } from '../../platform/adapters/postgres/connect.ts';
import { sqlState } from '../../platform/adapters/postgres/faults.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { CommandFault, type Say } from '../command.ts';
import { listMigrations, listSequences, listTables, type CatalogTable } from './catalog.ts';
import type { InstallationFiles } from './files.ts';
import type { BackedUpTable, Contents } from './manifest.ts';
import { store } from './stored-file.ts';

export interface BackupDeps {
  readonly database: OwnedDatabase;
  readonly files: InstallationFiles;
  readonly settings: Pick<Settings, 'masterKey' | 'previousMasterKey' | 'bucket'>;
  readonly say: Say;
}

const SNAPSHOT = 'begin isolation level repeatable read read only';

export const UNDEFINED_TABLE = '42P01';

/** The database as of one snapshot, with the images that it names. */
export async function copyDatabase(
  client: Client,
  copier: Client,
  folder: string,
  blobs: Map<string, number>,
  { database, files, say }: BackupDeps,
  blobFolder: string,
): Promise<Omit<Contents, 'format' | 'version' | 'masterKeyCheck' | 'checkpoints'>> {
  await client.query(SNAPSHOT);
  const { rows } = await client.query<{ id: string; at: Date; postgres: string }>(
    "select pg_export_snapshot() as id, now() as at, current_setting('server_version') as postgres",
  );
  const { id, at, postgres } = rows[0]!;
  const migrations = await listMigrations(client);
  const missingBlobs = await copyBlobs(await listImages(client), blobs, files, blobFolder);
  const listed = await listTables(client);
  const tables: BackedUpTable[] = [];
  for (const table of listed) {
    const copied = await copyTable(copier, id, table, folder);
    if (copied !== undefined) tables.push(copied);
  }
  const result = {
    postgres,
    createdAt: at.toISOString(),
    installation: (await findFact(client, 'id')) ?? null,
    auditKey: (await findFact(client, 'audit_key')) ?? null,
    migrations,
    tables,
    sequences: await listSequences(client),
    blobs: Array.from(blobs, ([sha256, bytes]) => ({ sha256, bytes })),
    missingBlobs,
  };
  await client.query('commit');
  const after = await database.withOwner(listMigrations);
  if (after.length !== migrations.length)
    throw new CommandFault('The database was migrated by a newer Highline during the backup. Run the command again.');
  if (missingBlobs.length > 0)
    say(
      `WARNING: ${missingBlobs.length} firmware images are missing or damaged in this installation itself: ${missingBlobs.join(', ')}`,
    );
  return result;
}

export async function listImages(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ sha256: string }>(
    "select distinct encode(sha256, 'hex') as sha256 from firmware order by 1",
  );
  return rows.map(({ sha256 }) => sha256);
}

/** @returns those that are missing or damaged */
export async function copyBlobs(
  images: readonly string[],
  copied: Map<string, number>,
  { blobs }: InstallationFiles,
  folder: string,
): Promise<string[]> {
  const missing: string[] = [];
  for (const sha256 of images) {
    if (copied.has(sha256)) continue;
    const opened = await blobs.open(sha256);
    const stored = opened && (await store(join(folder, sha256), opened.stream));
    if (stored?.sha256 === sha256) copied.set(sha256, stored.bytes);
    else {
      await rm(join(folder, sha256), { force: true });
      missing.push(sha256);
    }
  }
  return missing;
}

/** In a transaction of its own, which locks no table longer than it is read; undefined for a partition that retention dropped. */
async function copyTable(
  client: Client,
  snapshot: string,
  table: CatalogTable,
  folder: string,
): Promise<BackedUpTable | undefined> {
  const file = `${table.name}.copy.zst`;
  await client.query(SNAPSHOT);
  try {
    await client.query(`set transaction snapshot '${snapshot}'`);
    const columns = table.columns.map((column) => escapeIdentifier(column)).join(', ');
    const rows = client.query(copyTo(`copy ${escapeIdentifier(table.name)} (${columns}) to stdout`));
    const stored = await store(join(folder, file), rows, [createZstdCompress()]);
    return { ...table, rows: rows.rowCount, file, ...stored };
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE && table.partition !== undefined) return undefined;
    throw error;
  } finally {
    await client.query('rollback');
  }
}
