import type { Client } from 'pg';
import { CommandFault } from './command.ts';

/** @throws CommandFault while a server is connected to this database */
export async function rejectServed(client: Client): Promise<void> {
  const { rows } = await client.query<{ sessions: number }>(`
    select count(*)::integer as sessions from pg_stat_activity
    where datname = current_database() and application_name = 'highline'`);
  if (rows[0]!.sessions > 0) throw new CommandFault('A server uses this database. Stop every process of it first.');
}
