import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { StartupError } from '../../settings/settings.ts';
import { sqlState } from './faults.ts';
import { assertCannotRewriteHistory, ensureServingRole } from './serving-role.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
/** Advisory lock id, unused elsewhere: 'highline' as the first bytes of its SHA-256. */
const LOCK = Number.parseInt(createHash('sha256').update('highline').digest('hex').slice(0, 12), 16);

export interface MigrateOptions {
  readonly log: Log;
  /** The owner's sessions also serve, by switching to highline_serve. */
  readonly ownerServes: boolean;
  /** Folder of the .sql files; the server's own by default. */
  readonly folder?: string;
}

/**
 * Bring the database to the schema of this version. Safe to call repeatedly and from any number of processes at once.
 * @param client connected as the owner of the database; close it afterwards, its session holds the lock
 * @throws StartupError when a landed migration was edited, the database is newer than this program, a migration fails, the
 * serving role cannot be created, or that role could change the audit log
 */
export async function migrate(client: Client, options: MigrateOptions): Promise<void> {
  const migrations = readMigrations(options.folder ?? MIGRATIONS);
  // Functions keep the search path they are created with; naming pg_temp last keeps temporary tables out of it.
  await client.query('set search_path = public, pg_temp; set statement_timeout = 0; set lock_timeout = 0');
  // Held until the session ends, so that no failure can leave it behind.
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  await ensureServingRole(client, options.ownerServes);
  await applyMissing(client, migrations, options.log);
  await assertCannotRewriteHistory(client, 'highline_serve');
  await client.query(
    "select ensure_partitions(today - 2, today + 7) from (select (now() at time zone 'utc')::date as today) as clock",
  );
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const numbers = new Set<number>();
  return names.map((name) => {
    const number = Number.parseInt(name, 10);
    if (!/^\d{4}-/u.test(name) || numbers.has(number))
      throw new Error(`Migrations begin with a unique four-digit number; ${name} does not.`);
    numbers.add(number);
    const sql = readFileSync(join(folder, name), 'utf8');
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

async function applyMissing(client: Client, migrations: readonly Migration[], log: Log): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
  const landed = await client.query<Omit<Migration, 'sql'>>(
    'select number, name, checksum from schema_migrations order by number',
  );
  const files = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const past of landed.rows) compare(past, files.get(past.number));
  // Numbers are reserved in parallel, so a lower one may land later: apply whatever is missing.
  const applied = new Set(landed.rows.map(({ number }) => number));
  for (const migration of migrations.filter(({ number }) => !applied.has(number))) {
    await apply(client, migration);
    log.info({ migration: migration.name }, 'Database migrated.');
  }
}

function compare(past: Omit<Migration, 'sql'>, file: Migration | undefined): void {
  if (file === undefined)
    throw new StartupError(
      `The database was migrated by a newer Highline (${past.name}), which this version does not know. Start that version, or restore a backup made before that.`,
    );
  if (file.checksum !== past.checksum || file.name !== past.name)
    throw new StartupError(
      `Migration ${past.name} landed in this database, and the file ${file.name} has changed since. Never edit a landed migration: restore the file and put the change into a new one.`,
    );
}

async function apply(client: Client, { number, name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [number, name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const state = sqlState(error);
    if (state === undefined) throw error;
    throw new StartupError(`Migration ${name} failed and was rolled back: ${(error as Error).message} (${state})`, {
      cause: error,
    });
  }
}
