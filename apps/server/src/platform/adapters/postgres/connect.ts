import { Client, Pool, type ClientConfig } from 'pg';
import type { Log } from '../../ports/log.ts';
import { StartupError, type DatabaseSettings } from '../../settings/settings.ts';
import { startEmbedded } from './embedded.ts';
import { isConnectionFault, sqlState } from './faults.ts';
import { migrate } from './migrate.ts';
import { urlOf } from './postmaster.ts';
import { assertCannotRewriteHistory } from './serving-role.ts';
import { valueTypes } from './types.ts';

export { isConnectionFault, isSerializationFault } from './faults.ts';

/** Oldest PostgreSQL version that the migrations and queries are tested with. */
const OLDEST = 150_000;

export interface OpenedDatabase {
  /** Connections of the serving role; a lost one fails its query, never the process. */
  readonly pool: Pool;
  /** Run `work` on a connection of the owner, who may change the schema and write to `installation`; closed afterwards. */
  withOwner<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Whether the database is reachable now. */
  ready(): Promise<boolean>;
  /** Close every connection, and stop PostgreSQL if it is embedded. Queries still running after a few seconds are cancelled. */
  close(): Promise<void>;
}

/**
 * Start or find the database, migrate it, and open the serving pool.
 * @throws StartupError with a clear message when that fails: folder in use, server unreachable, too old, sign-in rejected …
 */
export async function openDatabase(settings: DatabaseSettings, log: Log): Promise<OpenedDatabase> {
  if (settings.kind === 'external') return connect(loginsOf(settings), settings.poolSize, log, async () => {});
  const embedded = await startEmbedded({ folder: settings.folder, log });
  try {
    const { owner, serve } = embedded;
    return await connect({ owner: urlOf(owner), serve: urlOf(serve), ownerServes: false }, settings.poolSize, log, embedded.stop);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

interface Logins {
  readonly owner: string;
  readonly serve: string;
  readonly ownerServes: boolean;
}

function loginsOf({ url, serveUrl }: Extract<DatabaseSettings, { kind: 'external' }>): Logins {
  if (serveUrl === undefined) return { owner: url, serve: withOption(url, 'role=highline_serve'), ownerServes: true };
  return { owner: url, serve: serveUrl, ownerServes: false };
}

/** In the driver a connection string overrides every other option, so session settings go into its `options`. */
function withOption(url: string, option: string): string {
  const query = url.indexOf('?');
  // Parse only the query: the platform cannot parse a socket address (postgresql://user@/database?host=/folder) as a URL.
  const parameters = new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
  parameters.set('options', `${parameters.get('options') ?? ''} -c ${option}`.trim());
  return `${query < 0 ? url : url.slice(0, query)}?${parameters.toString()}`;
}

/** Read and write times and days as UTC text, whatever the settings of the cluster or the login. */
function sessionOf(url: string): ClientConfig {
  return { connectionString: withOption(withOption(url, 'timezone=UTC'), 'datestyle=ISO'), types: valueTypes() };
}

async function connect(logins: Logins, poolSize: number, log: Log, stop: () => Promise<void>): Promise<OpenedDatabase> {
  const withOwner: OpenedDatabase['withOwner'] = (work) => withClient(logins.owner, 'DATABASE_URL', work);
  await withOwner(async (client) => {
    await assertRecent(client);
    await migrate(client, { log, ownerServes: logins.ownerServes });
    await assertServes(client, logins);
  });
  const pool = openPool(logins.serve, poolSize, log);
  return {
    pool,
    withOwner,
    async ready() {
      try {
        await pool.query('select 1');
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      const ended = pool.end();
      // Ignore errors of idle connections before closing: those that PostgreSQL closes first are expected.
      pool.removeAllListeners('error').on('error', () => {});
      await Promise.race([ended, sleep(5000)]);
      await stop();
    },
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

function openPool(login: string, max: number, log: Log): Pool {
  const pool = new Pool({
    ...sessionOf(login),
    max,
    application_name: 'highline',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'Idle database connection lost.'));
  // The pool handles errors of idle connections only. An error between two queries of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function withClient<T>(login: string, variable: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...sessionOf(login), application_name: 'highline-owner', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end();
    throw rejectedBy(error, client, variable);
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Report the server and its answer; the address itself contains a password and is not repeated. */
function rejectedBy(error: unknown, client: Client, variable: string): StartupError {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  const what = sqlState(error) === undefined || isConnectionFault(error) ? 'does not answer' : 'rejects the sign-in';
  return new StartupError(
    `PostgreSQL at ${client.host}:${client.port} (database ${client.database}, user ${client.user}) ${what}: ${message}. See ${variable}.`,
    { cause: error },
  );
}

async function assertRecent(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as version",
  );
  const [server] = rows;
  if (server === undefined || server.number < OLDEST)
    throw new StartupError(`DATABASE_URL points to PostgreSQL ${server?.version}; Highline needs 15 or newer.`);
}

/** Check that the serving login reaches the same database, and cannot rewrite the audit log. */
async function assertServes(owner: Client, { serve, ownerServes }: Logins): Promise<void> {
  if (ownerServes) return;
  const here = 'select pg_postmaster_start_time()::text || current_database() as place, current_user::text as role';
  const read = async (client: Client) => (await client.query<{ place: string; role: string }>(here)).rows[0];
  const [ours, theirs] = [await read(owner), await withClient(serve, 'DATABASE_SERVE_URL', read)];
  if (ours?.place !== theirs?.place)
    throw new StartupError('DATABASE_SERVE_URL points to another database than DATABASE_URL. Both must name the same one.');
  await assertCannotRewriteHistory(owner, theirs?.role ?? '');
}
