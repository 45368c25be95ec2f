import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { findFact, RESTORING, storeFact } from '../../platform/adapters/installation/facts.ts';
import type { OwnedDatabase } from '../../platform/adapters/postgres/connect.ts';
import { migrate } from '../../platform/adapters/postgres/migrate.ts';
import type { Log } from '../../platform/ports/index.ts';
import { CommandFault } from '../command.ts';
import { rejectServed } from '../served.ts';
import { hasCopiedRows, listAllTables, listForeignKeys, listTriggered } from './catalog.ts';
import type { InstallationFiles } from './files.ts';
import { foldersOf, type BackedUpTable, type Manifest } from './manifest.ts';

export interface RestoreDeps {
  readonly database: OwnedDatabase;
  readonly files: InstallationFiles;
  readonly log: Log;
}

/**
 * Fill an empty database and an empty place for files with a verified backup. Files first, then all rows in one transaction: until
 * its commit no server starts on the database, and the command can be repeated.
 * @throws CommandFault before anything is written when the target is not empty
 */
export async function restoreBackup(backup: string, manifest: Manifest, { database, files, log }: RestoreDeps): Promise<void> {
  await database.withOwner(checkEmpty);
  await files.checkFree(manifest.installation, manifest.checkpoints);
  const { ownerServes } = database;
  const only = new Set(manifest.migrations.map(({ number }) => number));
  // Sessions of migrations hold their lock until they end.
  await database.withOwner((client) => migrate(client, { log, ownerServes, only }));
  await database.withOwner((client) => storeFact(client, RESTORING, manifest.createdAt));
  await restoreFiles(backup, manifest, files);
  await database.withOwner((client) => restoreRows(client, backup, manifest));
  await database.withOwner((client) => migrate(client, { log, ownerServes }));
  await database.withOwner((client) => client.query('analyze'));
}

async function checkEmpty(client: Client): Promise<void> {
  await rejectServed(client);
  const { rows } = await client.query<{ isFilled: boolean }>(
    `select to_regclass('public.installation') is not null as "isFilled"`,
  );
  const { isFilled } = rows[0]!;
  if (!isFilled || (await findFact(client, RESTORING)) !== undefined) return;
  if ((await findFact(client, 'master_key_check')) !== undefined)
    throw new CommandFault(
      'This database is not empty: a server was started on it. Create a new database, or set HIGHLINE_DATA_DIR to a new folder. Nothing was written.',
    );
}

async function restoreFiles(backup: string, { blobs, checkpoints }: Manifest, files: InstallationFiles): Promise<void> {
  const at = foldersOf(backup);
  for (const { sha256 } of blobs) {
    const written = await files.blobs.write(createReadStream(join(at.blobs, sha256)), Infinity);
    if (written === 'too-large' || written.sha256 !== sha256)
      throw new CommandFault(`${join(at.blobs, sha256)} changed while it was restored.`);
  }
  for (const { file, bytes } of checkpoints) await files.putCheckpoint(file, join(at.checkpoints, file), bytes);
}

/** All rows or none. Foreign keys are checked once at the end, which needs no order of tables. */
async function restoreRows(client: Client, backup: string, { tables, sequences }: Manifest): Promise<void> {
  await client.query('set search_path = public, pg_temp');
  await client.query('begin');
  try {
    for (const { name, partition } of tables)
      if (partition !== undefined)
        await client.query(
          `create table if not exists ${escapeIdentifier(name)} partition of ${escapeIdentifier(partition.of)} ${partition.bound}`,
        );
    const triggered = (await listTriggered(client)).map((name) => escapeIdentifier(name));
    for (const name of triggered) await client.query(`alter table ${name} disable trigger user`);
    const foreignKeys = await listForeignKeys(client);
    for (const { drop } of foreignKeys) await client.query(drop);
    const names = (await listAllTables(client)).map((name) => escapeIdentifier(name));
    await client.query(`truncate ${names.join(', ')}`);
    for (const table of tables.filter(hasCopiedRows)) await restoreTable(client, backup, table);
    for (const { name, last, isCalled } of sequences)
      await client.query(`select setval(${escapeLiteral(escapeIdentifier(name))}, $1, $2)`, [last, isCalled]);
    for (const { add } of foreignKeys) await client.query(add);
    for (const name of triggered) await client.query(`alter table ${name} enable trigger user`);
    // The next start notes the bucket that it uses.
    await client.query("delete from installation where key in ('bucket', $1)", [RESTORING]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function restoreTable(client: Client, backup: string, table: BackedUpTable): Promise<void> {
  const name = escapeIdentifier(table.name);
  const { columns, file } = table;
  const listed = columns.map((column) => escapeIdentifier(column)).join(', ');
  const rows = client.query(copyFrom(`copy ${name} (${listed}) from stdin`));
  await pipeline(createReadStream(join(foldersOf(backup).tables, file)), createZstdDecompress(), rows);
  if (rows.rowCount !== table.rows)
    throw new CommandFault(`${table.name} has ${rows.rowCount} rows, and ${table.rows} were backed up. Nothing was restored.`);
}
