import { Client, type Pool } from 'pg';
import type { Log } from '../../ports/log.ts';
import type { SlowLog } from '../../process/slow-log.ts';
import { StartupError, type DatabaseSettings } from '../../settings/settings.ts';
import { findRunning, startEmbedded } from './embedded.ts';
import { isConnectionFault, sqlState } from './faults.ts';
import { migrate } from './migrate.ts';
import { createReplicaReads, type ReplicaReads } from '../replica-reads.ts';
import { followHosts, loginAt, NoSuchHost, urlsOf, type HostRole, type Hosts } from './hosts.ts';
import { SESSION_MARK, sessionOf, withOption, type Login } from './login.ts';
import { closePool, cutConnections, LIMITS, openPool } from './pool.ts';
import { urlOf } from './postmaster.ts';
import { monitorReplica } from './replica-monitor.ts';
import { removeForeignEvents } from './restored-outbox.ts';
import { assertCannotRewriteHistory } from './serving-role.ts';

export { isConnectionFault, isSerializationFault } from './faults.ts';

/** Oldest PostgreSQL version that the migrations and queries are tested with. */
const OLDEST = 150_000;

export interface OpenedDatabase {
  /** Connections of the serving role; a lost one fails its query, never the process. */
  readonly pool: Pool;
  /** Run `work` on a connection of the owner, who may change the schema and write to `installation`; closed afterwards. */
  withOwner<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Reads of lists on a replica; undefined without one. */
  readonly replica: ReplicaReads | undefined;
  /** Whether the database is reachable now. */
  ready(): Promise<boolean>;
  /** Close every connection, and stop PostgreSQL if it is embedded. Queries still running after a few seconds are cancelled. */
  close(): Promise<void>;
}

/**
 * Start or find the database, migrate it, and open the serving pool.
 * @param slow logs statements that take long
 * @throws StartupError with a clear message when that fails: folder in use, server unreachable, too old, sign-in rejected …
 */
export async function openDatabase(settings: DatabaseSettings, log: Log, slow?: SlowLog): Promise<OpenedDatabase> {
  if (settings.kind === 'external') return connect(loginsOf(settings), settings, { log, slow }, async () => {});
  const embedded = await startEmbedded({ folder: settings.folder, log });
  try {
    const { owner, serve } = embedded;
    const logins = { owner: direct(urlOf(owner)), serve: direct(urlOf(serve)), ownerServes: false };
    return await connect(logins, settings, { log, slow }, embedded.stop);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** The database as its owner sees it, neither migrated nor served. */
export interface OwnedDatabase extends Pick<OpenedDatabase, 'withOwner' | 'close'> {
  /** The owner's sessions also serve, by switching to highline_serve. */
  readonly ownerServes: boolean;
}

/**
 * Open the database for commands that copy or fill it.
 * @param use 'shared': along with a running server; 'alone': an embedded database must not be in use
 * @throws StartupError
 */
export async function openOwned(settings: DatabaseSettings, use: 'shared' | 'alone', log: Log): Promise<OwnedDatabase> {
  if (settings.kind === 'external') {
    const { owner, ownerServes } = loginsOf(settings);
    return ownedOf(owner, ownerServes, async () => {});
  }
  const running = use === 'shared' ? findRunning(settings.folder) : undefined;
  if (running !== undefined) return ownedOf(direct(urlOf(running)), false, async () => {});
  const { owner, stop } = await startEmbedded({ folder: settings.folder, log });
  return ownedOf(direct(urlOf(owner)), false, stop);
}

function ownedOf(owner: Login, ownerServes: boolean, close: () => Promise<void>): OwnedDatabase {
  return { withOwner: (work) => withClient(owner, 'DATABASE_URL', work), close, ownerServes };
}

type ExternalSettings = Extract<DatabaseSettings, { kind: 'external' }>;

interface Logins {
  readonly owner: Login;
  readonly serve: Login;
  readonly ownerServes: boolean;
}

const direct = (url: string): Login => ({ url, pooled: false });

function loginsOf({ url, serveUrl, pooled = false }: ExternalSettings): Logins {
  if (serveUrl === undefined)
    return { owner: direct(url), serve: direct(withOption(url, 'role=highline_serve')), ownerServes: true };
  return { owner: direct(url), serve: { url: serveUrl, pooled }, ownerServes: false };
}

interface Logs {
  readonly log: Log;
  readonly slow: SlowLog | undefined;
}

async function connect(
  logins: Logins,
  settings: DatabaseSettings,
  logs: Logs,
  stop: () => Promise<void>,
): Promise<OpenedDatabase> {
  const { log } = logs;
  const withOwner: OpenedDatabase['withOwner'] = (work) => withClient(logins.owner, 'DATABASE_URL', work);
  const replicaLogin = settings.kind === 'external' ? readingLogin(settings) : undefined;
  await withOwner(async (client) => {
    await assertRecent(client);
    await migrate(client, { log, ownerServes: logins.ownerServes });
    await removeForeignEvents(client, log);
    await assertServes(client, logins);
    if (replicaLogin !== undefined) await assertReplicates(client, replicaLogin, log);
  });
  const hosts = await follow(logins.serve, 'primary', log);
  const pool = openPool(logins.serve, { max: settings.poolSize, ...logs, hosts });
  const replica =
    settings.kind === 'external' && replicaLogin !== undefined
      ? await openReplica({ pool, login: logins.serve, hosts }, replicaLogin, settings, logs)
      : undefined;
  return {
    pool,
    withOwner,
    replica: replica?.reads,
    async ready() {
      try {
        await pool.query('select 1');
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await hosts?.stop();
      await replica?.close();
      await closePool(pool);
      await stop();
    },
  };
}

/** Connections that only compare positions; one that takes longer counts as lost. */
const MONITOR = { max: 1, queryTimeoutMs: 2_000 };

/** With several hosts: the one to connect to, as it changes. */
async function follow(login: Login, role: HostRole, log: Log): Promise<Hosts | undefined> {
  const [url, ...others] = urlsOf(login.url);
  if (others.length === 0) return undefined;
  // A replica may be away now. That the primary is here was seen at the migration.
  const first = await loginAt(login, role, '').catch(() => ({ ...login, url: url! }));
  return followHosts(login, first, role, log);
}

async function openReplica(
  primary: { readonly pool: Pool; readonly login: Login; readonly hosts: Hosts | undefined },
  login: Login,
  { replica: settings, poolSize }: ExternalSettings,
  { log, slow }: Logs,
): Promise<{ reads: ReplicaReads; close(): Promise<void> }> {
  const hosts = await follow(login, 'replica', log);
  const replica = openPool(login, { max: poolSize, hosts, slow });
  const monitored = {
    primary: openPool(primary.login, { ...MONITOR, hosts: primary.hosts }),
    replica: openPool(login, { ...MONITOR, hosts }),
  };
  const monitor = monitorReplica({ ...monitored, log, lost: () => cutConnections(replica) });
  return {
    reads: createReplicaReads({ primary: primary.pool, replica, monitor, mostAgeMs: settings!.mostAgeSeconds * 1000 }),
    async close() {
      await hosts?.stop();
      await monitor.stop();
      await Promise.all([replica, monitored.primary, monitored.replica].map((pool) => closePool(pool)));
    },
  };
}

/** Without a pooler, the login may be that of the owner or of the server: either reads with the rights of the serving role. */
function readingLogin({ replica, pooled = false }: ExternalSettings): Login | undefined {
  if (replica === undefined) return undefined;
  return { url: pooled ? replica.url : withOption(replica.url, 'role=highline_serve'), pooled };
}

/** Check that the replica is one of this database. One that is away at the start is used when it comes back. */
async function assertReplicates(owner: Client, login: Login, log: Log): Promise<void> {
  const where = `select system_identifier::text || ' ' || current_database() as place from pg_control_system()`;
  const read = async (client: Client) => (await client.query<{ place: string }>(where)).rows[0]?.place;
  const readSession = async (client: Client) => {
    const place = await read(client);
    await assertCannotRewriteHistory(owner, await assertSession(client, login, 'DATABASE_READ_URL'));
    return place;
  };
  const theirs = await withClient(login, 'DATABASE_READ_URL', readSession, 'replica').catch((error: unknown) => {
    if (!(error instanceof NoSuchHost) && !isConnectionFault((error as Error).cause)) throw error;
    log.warn({ err: error }, 'The replica does not answer; lists are read from the primary until it does.');
    return undefined;
  });
  if (theirs !== undefined && theirs !== (await read(owner)))
    throw new StartupError('DATABASE_READ_URL points to a database that is no replica of DATABASE_URL.');
}

async function withClient<T>(
  anywhere: Login,
  variable: string,
  work: (client: Client) => Promise<T>,
  role: HostRole = 'primary',
): Promise<T> {
  const login = await loginAt(anywhere, role, variable);
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

/** Report the server and its response; the address itself contains a password and is not repeated. */
function rejectedBy(error: unknown, client: Client, variable: string): StartupError {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  if (message.includes('unsupported startup parameter'))
    return new StartupError(
      `${variable} leads to PgBouncer, which rejects settings of sessions (${message}). DATABASE_URL must lead to PostgreSQL directly; for DATABASE_SERVE_URL and DATABASE_READ_URL set DATABASE_POOLER=transaction.`,
      { cause: error },
    );
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

/** Check that the serving login reaches the same database, works as the restricted role, and has the settings of a session. */
async function assertServes(owner: Client, { serve, ownerServes }: Logins): Promise<void> {
  const variable = ownerServes ? 'DATABASE_URL' : 'DATABASE_SERVE_URL';
  const here = 'select pg_postmaster_start_time()::text || current_database() as place';
  const read = async (client: Client) => (await client.query<{ place: string }>(here)).rows[0]?.place;
  const role = await withClient(serve, variable, async (client) => {
    if ((await read(client)) !== (await read(owner)))
      throw new StartupError('DATABASE_SERVE_URL points to another database than DATABASE_URL. Both must name the same one.');
    return assertSession(client, serve, variable);
  });
  await assertCannotRewriteHistory(owner, role);
}

interface Session {
  readonly role: string;
  readonly database: string;
  readonly requested: boolean;
  readonly inUtc: boolean;
  readonly unlimited: boolean;
}

/**
 * Check the settings of a session: a pooler may drop those that the connection requests.
 * @returns the role that the session works as
 * @throws StartupError with the commands for an administrator
 */
async function assertSession(client: Client, { pooled }: Login, variable: string): Promise<string> {
  const { rows } = await client.query<Session>(
    `select current_user::text as role, quote_ident(current_database()) as database,
      current_setting('${SESSION_MARK}', true) is not distinct from 'on' as requested,
      current_setting('timezone') = 'UTC' and current_setting('datestyle') like 'ISO%' as "inUtc",
      '0' in (${Object.keys(LIMITS)
        .map((name) => `current_setting('${name}')`)
        .join(', ')}) as unlimited`,
  );
  const { role, database, requested, inUtc, unlimited } = rows[0]!;
  if (pooled ? inUtc && !unlimited : requested) return role;
  if (!pooled)
    throw new StartupError(
      `${variable} leads to a pooler that drops the settings of sessions. Set DATABASE_POOLER=transaction, with a DATABASE_URL that leads to PostgreSQL directly.`,
    );
  const settings = { timezone: 'UTC', datestyle: 'ISO', ...LIMITS };
  const commands = Object.entries(settings).map(
    ([name, value]) => `alter role ${role} in database ${database} set ${name} = '${value}';`,
  );
  throw new StartupError(
    `Sessions of ${variable} lack settings, which a pooler in transaction mode cannot pass on. As an administrator, once: ${commands.join(' ')} Then \`reconnect\` in the console of PgBouncer, or restart it.`,
  );
}
