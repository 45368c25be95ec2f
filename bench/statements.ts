import { Client, type ClientConfig } from 'pg';
import { options } from './options.ts';
import { whole } from './table.ts';

/** PostgreSQL counts statements, how long it planned and ran each, and what each wrote to its log. */
export const STATEMENT_SETTINGS = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' };

const MOST_LINES = 30;
/** Characters of a statement that are printed. */
const MOST_TEXT = 130;

interface Counted {
  readonly query: string;
  readonly calls: number;
  readonly planned: number;
  readonly run: number;
  /** Kilobytes of the write-ahead log, and of it whole pages after a checkpoint. */
  readonly log: number;
  readonly pages: number;
}

/** Count statements of all databases from now on, with `--statements`. @returns lines for the notes: the sum, those that took most, and those that wrote most */
export async function watchStatements({ superuser }: { readonly superuser: ClientConfig }): Promise<() => Promise<string[]>> {
  if (!options.statements) return async () => [];
  await ask(superuser, 'create extension if not exists pg_stat_statements');
  await ask(superuser, 'select pg_stat_statements_reset()');
  return async () => {
    const rows = await ask<Counted>(
      superuser,
      `select query, calls::int, total_plan_time as planned, total_exec_time as run,
         wal_bytes::float8 / 1024 as log, wal_fpi * 8.0::float8 as pages
       from pg_stat_statements order by total_plan_time + total_exec_time desc`,
    );
    const sum = (key: Exclude<keyof Counted, 'query'>) => whole(rows.reduce((total, row) => total + row[key], 0));
    return [
      `Statements: ${sum('calls')}, ${sum('planned')} ms planned, ${sum('run')} ms run, ${sum('log')} KB of the log (whole pages before compression: ${sum('pages')}). Those that took most (times, ms planned, ms run, KB of the log, of it pages):`,
      ...rows.slice(0, MOST_LINES).map(describeStatement),
      'Those that wrote most:',
      ...rows
        .toSorted((one, other) => other.log - one.log)
        .slice(0, MOST_LINES / 2)
        .map(describeStatement),
    ];
  };
}

function describeStatement({ query, calls, planned, run, log, pages }: Counted): string {
  const numbers = [calls, planned, run, log, pages].map((value) => whole(value).padStart(7)).join(' ');
  return `${numbers}  ${query.replaceAll(/\s+/gu, ' ').slice(0, MOST_TEXT)}`;
}

async function ask<Row extends object>(login: ClientConfig, text: string): Promise<Row[]> {
  const client = new Client(login);
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
