import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../ports/log.ts';
import { StartupError } from '../../settings/settings-file.ts';
import { marksOf, type MigrationMarks } from './migration-marks.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** A migration as a database records it. */
export interface Landed {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

export interface Migration extends Landed, MigrationMarks {
  readonly sql: string;
}

/** The migrations of this version, in order. */
export function readMigrations(folder = MIGRATIONS): Migration[] {
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
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex'), ...marksOf(sql) };
  });
}

/** A migration in the database. */
export type Past = Landed & { readonly compatibleSince: number };

export function compareMigrations(past: Past, files: ReadonlyMap<number, Migration>, log: Log): void {
  const file = files.get(past.number);
  const { compatibleSince: since } = past;
  if (file === undefined && since > 0 && !files.has(since))
    throw new StartupError(
      `The database was migrated by a newer Highline (${past.name}), which this version cannot work with. Start that version, or restore a backup made before that.`,
    );
  if (file === undefined) log.info({ migration: past.name }, 'The database is newer, and this version can work with it.');
  else if (file.checksum !== past.checksum || file.name !== past.name)
    throw new StartupError(
      `Migration ${past.name} landed in this database, and the file ${file.name} has changed since. Never edit a landed migration: restore the file and put the change into a new one.`,
    );
}
