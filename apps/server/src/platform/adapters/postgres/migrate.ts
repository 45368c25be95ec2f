import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { StartupError } from '../../settings/settings-file.ts';
import { takeAdvisoryLock } from './advisory-lock.ts';
import { sqlState } from './faults.ts';
import { changeBehindLimitedViews, makeLimitedViews } from './limited-views.ts';
import { indexStatementsOf } from './migration-marks.ts';
import { readMigrations, compareMigrations, type Migration, type Past } from './migrations.ts';
import { assertCannotRewriteHistory, ensureServingRole } from './serving-role.ts';

/** Advisory lock id, unused elsewhere: 'highline' as the first bytes of its SHA-256. */
const LOCK = Number.parseInt(createHash('sha256').update('highline').digest('hex').slice(0, 12), 16);

export interface MigrateOptions {
  readonly log: Log;
  /** The owner's sessions also serve, by switching to highline_serve. */
  readonly ownerServes: boolean;
  /** Folder of the .sql files; the server's own by default. */
  readonly folder?: string;
  /** Apply only these, to fill the schema with a backup of that version; all by default. */
  readonly only?: ReadonlySet<number>;
  /** How long a migration waits for a lock, and with it everyone who needs the table; it is tried again after a pause. */
  readonly lockTimeoutMs?: number;
}

/** Pause between two attempts at a lock that others hold, in which they can work. */
const PAUSE_MS = 1_000;
const ATTEMPTS = 60;

/**
 * Bring the database to the schema of this version, or find that a newer one has left it usable by this version (decision 0036).
 * Safe to call repeatedly and from any number of processes at once, and while processes of the version before serve.
 * @param client connected as the owner of the database; close it afterwards, its session holds the lock
 * @throws StartupError when a landed migration was edited, the database is newer than this program, a migration fails, the
 * serving role cannot be created, or that role could change the audit log
 */
export async function migrate(client: Client, options: MigrateOptions): Promise<void> {
  const { folder, only, log, lockTimeoutMs = 3_000 } = options;
  const migrations = readMigrations(folder).filter(({ number }) => only?.has(number) ?? true);
  // Functions keep the search path they are created with; naming pg_temp last keeps temporary tables out of it.
  await client.query('set search_path = public, pg_temp; set statement_timeout = 0; set lock_timeout = 0');
  // Held until the session ends, so that no failure can leave it behind.
  await takeAdvisoryLock(client, String(LOCK), log, 'A start waits for another process that migrates the database.');
  await ensureServingRole(client, options.ownerServes);
  const isNewer = await applyMissing(client, migrations, log, lockTimeoutMs);
  await renewNameOrder(client, log);
  // An earlier schema lacks what rules of today read, and no one is served from it.
  if (only === undefined) await retryLost(log, { views: 'limited' }, () => makeLimitedViews(client, lockTimeoutMs, isNewer));
  await assertCannotRewriteHistory(client, 'highline_serve');
  await client.query(
    "select ensure_partitions(today - 2, today + 7) from (select (now() at time zone 'utc')::date as today) as clock",
  );
}

/**
 * Another version of the library ICU may order names otherwise, and an index in the former order would leave rows out of pages: build those
 * indexes again, alongside writes.
 */
async function renewNameOrder(client: Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ index: string }>(`select i.indexrelid::regclass::text as index
    from pg_collation c join pg_depend d on d.refclassid = 'pg_collation'::regclass and d.refobjid = c.oid
      join pg_index i on d.classid = 'pg_class'::regclass and i.indexrelid = d.objid
    where c.oid = to_regcollation('natural_order') and c.collversion is distinct from pg_collation_actual_version(c.oid)`);
  if (rows.length === 0) return;
  for (const { index } of rows) await client.query(`reindex index concurrently ${index}`);
  await client.query('alter collation natural_order refresh version');
  log.info({ indexes: rows.map(({ index }) => index) }, 'The order of names has changed with ICU; its indexes were built again.');
}

/** @returns whether the database is newer than this program */
async function applyMissing(client: Client, migrations: readonly Migration[], log: Log, lockTimeoutMs: number): Promise<boolean> {
  await client.query(`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now(),
      compatible_since integer not null
    )`);
  await rejectDevelopmentDatabase(client);
  const landed = await client.query<Past>(
    'select number, name, checksum, compatible_since as "compatibleSince" from schema_migrations order by number',
  );
  const files = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const past of landed.rows) compareMigrations(past, files, log);
  // Numbers are reserved in parallel, so a lower one may land later: apply whatever is missing.
  const applied = new Set(landed.rows.map(({ number }) => number));
  const missing = migrations.filter(({ number }) => !applied.has(number));
  for (const migration of missing) {
    await apply(client, migration, lockTimeoutMs, log);
    log.info({ migration: migration.name }, 'Database migrated.');
  }
  return landed.rows.some(({ number }) => !files.has(number));
}

/** Migrations of the development before 0.2.0 had the same numbers, and no way leads on from them (decision 0132). */
async function rejectDevelopmentDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query("select from schema_migrations where number = 1 and name <> '0001-baseline.sql'");
  if (rowCount !== 0)
    throw new StartupError(
      'The database was made by a development version of Highline before 0.2.0, and there is no upgrade from it. Use an empty database or data folder, or start the version that made this one.',
    );
}

/** Lost to others who used the table: a lock that came too late, or a deadlock. */
const LOST = new Set(['55P03', '40P01']);

async function retryLost(log: Log, what: object, change: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!LOST.has(sqlState(error) ?? '') || attempt === ATTEMPTS) throw error;
      log.info({ ...what, attempt }, 'A migration waits for transactions that use its tables.');
      await pause(PAUSE_MS);
    }
  }
}

async function apply(client: Client, migration: Migration, lockTimeoutMs: number, log: Log): Promise<void> {
  const { name, concurrently } = migration;
  try {
    await retryLost(log, { migration: name }, () =>
      concurrently ? applyConcurrently(client, migration) : applyWhole(client, migration, lockTimeoutMs),
    );
  } catch (error) {
    const state = sqlState(error);
    if (state === undefined) throw error;
    throw new StartupError(`Migration ${name} failed and was rolled back: ${(error as Error).message} (${state})`, {
      cause: error,
    });
  }
}

async function applyWhole(client: Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
    await changeBehindLimitedViews(client, async () => void (await client.query(migration.sql)));
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** An index that is built alongside writes. One that an earlier attempt left incomplete is built again. */
async function applyConcurrently(client: Client, migration: Migration): Promise<void> {
  for (const { text, builds } of indexStatementsOf(migration.sql)) {
    const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
      builds,
    ]);
    if (rowCount === 1) await client.query(`drop index concurrently ${builds}`);
    await client.query(text);
  }
  await record(client, migration);
}

async function record(client: Client, { number, name, checksum, compatibleSince }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (number, name, checksum, compatible_since) values ($1, $2, $3, $4)', [
    number,
    name,
    checksum,
    compatibleSince,
  ]);
}
