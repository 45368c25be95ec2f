import { Pool, type QueryResult, type QueryResultRow } from 'pg';
import { type PostgresServer, startPostgresPair } from '@highline/testkit/services';
import { until } from '@highline/testkit/server';

/** Queries at the present primary, with all rights. */
export interface Sql {
  query<T extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<T>>;
}

/** A PostgreSQL and its standby, which change roles. */
export interface StormDatabase {
  /** Both servers, whichever is the primary. */
  readonly servers: readonly [PostgresServer, PostgresServer];
  readonly sql: Sql;
  /** For one login, at ports that stand for those of both servers. */
  url(login: 'owner' | 'serve', ports: readonly [number, number]): string;
  /** Of the serving role, at the present primary. */
  serveUrl(): string;
  /** Kill -9 the primary when the standby confirms each commit, and promote the standby. */
  failOver(): Promise<void>;
  /** Make the former primary the standby of the new one. */
  rebuildStandby(): Promise<void>;
  close(): Promise<void>;
}

const DATABASE = 'highline';
const SUPERUSER = 'postgres';
/** What a standby that was just copied still needs. */
const SETTINGS = { max_connections: '300', wal_keep_size: '256MB', max_wal_size: '256MB' };

export async function startStormDatabase(): Promise<StormDatabase> {
  const pair = await startPostgresPair(SETTINGS);
  let [primary, standby] = [pair.primary, pair.replica];
  const servers = [primary, standby] as const;
  const pools = new Map<PostgresServer, Pool>();
  for (const server of servers) {
    const pool = new Pool({ connectionString: server.url(SUPERUSER, DATABASE), max: 4, connectionTimeoutMillis: 5_000 });
    // A failover ends its connections.
    pool.on('error', () => {});
    pools.set(server, pool);
  }
  const confirm = (names: string) =>
    primary.run(`alter system set synchronous_standby_names = '${names}'`, 'select pg_reload_conf()');
  const isStreaming = () => primary.read<boolean>("(select count(*) = 1 from pg_stat_replication where state = 'streaming')");
  const isConfirming = () => primary.read<boolean>("(select count(*) = 1 from pg_stat_replication where sync_state = 'sync')");
  // As long as there is a standby, a commit waits for it. Set just before a failover, the last commits may not have waited yet.
  await until(isStreaming);
  await confirm('replica');
  return {
    servers,
    sql: { query: (text, values) => pools.get(primary)!.query(text, values) },
    url(login, ports) {
      const text = login === 'owner' ? pair.database.ownerUrl : pair.database.serveUrl;
      return text.replace(/@[^/]+/u, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
    },
    serveUrl: () => pair.database.serveUrl.replace(`:${pair.primary.port}`, `:${primary.port}`),
    async failOver() {
      await until(isConfirming);
      await primary.kill();
      [primary, standby] = [standby, primary];
      await primary.run('select pg_promote()');
      await until(async () => !(await primary.read<boolean>('pg_is_in_recovery()')));
      await confirm('');
    },
    async rebuildStandby() {
      await standby.follow(primary);
      await until(isStreaming);
      await confirm('replica');
    },
    async close() {
      for (const pool of pools.values()) await pool.end();
      await pair.close();
    },
  };
}
