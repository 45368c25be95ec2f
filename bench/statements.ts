import { Client, type ClientConfig } from 'pg';
import { whole } from './table.ts';

/** PostgreSQL counts statements, and how long it planned and ran each. */
export const STATEMENT_SETTINGS = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' };

const MOST_LINES = 30;
/** Characters of a statement that are printed. */
const MOST_TEXT = 130;

interface Counted {
  readonly query: string;
  readonly calls: number;
  readonly planned: number;
  readonly run: number;
}

/** Count statements of all databases from now on. @returns lines for the notes: the sum, and those that took most */
export async function watchStatements({ superuser }: { readonly superuser: ClientConfig }): Promise<() => Promise<string[]>> {
  await ask(superuser, 'create extension if not exists pg_stat_statements');
  await ask(superuser, 'select pg_stat_statements_reset()');
  return async () => {
    const rows = await ask<Counted>(
      superuser,
      `select query, calls::int, total_plan_time as planned, total_exec_time as run from pg_stat_statements
       order by total_plan_time + total_exec_time desc`,
    );
    const sum = (key: 'calls' | 'planned' | 'run') => rows.reduce((total, row) => total + row[key], 0);
    return [
      `Statements: ${whole(sum('calls'))}, ${whole(sum('planned'))} ms planned, ${whole(sum('run'))} ms run. Those that took most (times, ms planned, ms run):`,
      ...rows.slice(0, MOST_LINES).map(describeStatement),
    ];
  };
}

function describeStatement({ query, calls, planned, run }: Counted): string {
  const numbers = [calls, planned, run].map((value) => whole(value).padStart(7)).join(' ');
  return `${numbers}  ${query.replaceAll(/\s+/gu, ' ').slice(0, MOST_TEXT)}`;
}

async function ask<Row extends object>(login: ClientConfig, text: string): Promise<Row[]> {
  const client = new Client(login);
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
