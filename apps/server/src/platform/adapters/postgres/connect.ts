import { Client, type Pool } from 'pg';
import type { Log } from '../../ports/log.ts';
import type { SlowLog } from '../../process/slow-log.ts';
import type { DatabaseSettings } from '../../settings/settings-parts.ts';
import { createReplicaReads, type ReplicaReads } from '../replica-reads.ts';
import { assertReplicates, assertRecent, assertServes, type Logins, withClient } from './assertions.ts';
import { findRunning, startEmbedded } from './embedded.ts';
import { followHosts, loginAt, urlsOf, type HostRole, type Hosts } from './hosts.ts';
import { withOption, type Login } from './login.ts';
import { migrate } from './migrate.ts';
import { closePool, cutConnections, openPool } from './pool.ts';
import { urlOf } from './postmaster.ts';
import { monitorReplica } from './replica-monitor.ts';
import { removeForeignEvents } from './restored-outbox.ts';

export { isConnectionFault, isDatabaseOutage, isSerializationFault } from './faults.ts';

export interface OpenedDatabase {
  /** Connections of the serving role; a lost one fails its query, never the process. */
  readonly pool: Pool;
  /** Run `work` on a connection of the owner, who may change the schema and write to `installation`; closed afterwards. */
  withOwner<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Reads of lists on a replica; undefined without one. */
  readonly replica: ReplicaReads | undefined;
  /** Whether the database is reachable now, however busy `pool` is. */
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
  const ownConnection = openPool(logins.serve, { ...MONITOR, hosts });
  const replica =
    settings.kind === 'external' && replicaLogin !== undefined
      ? await openReplica({ pool, login: logins.serve, hosts }, replicaLogin, settings, logs)
      : undefined;
  return {
    pool,
    withOwner,
    replica: replica?.reads,
    ready: createPing(ownConnection),
    async close() {
      await hosts?.stop();
      await replica?.close();
      await Promise.all([pool, ownConnection].map((each) => closePool(each)));
      await stop();
    },
  };
}

/** Connections that only compare positions or try whether PostgreSQL answers; a query that takes longer counts as lost. */
const MONITOR = { max: 1, queryTimeoutMs: 2_000 };

/** @returns whether PostgreSQL answers now; checks at the same time share one query */
function createPing(pool: Pool): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  const ping = async () => {
    try {
      await pool.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      underWay = undefined;
    }
  };
  return () => (underWay ??= ping());
}

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
