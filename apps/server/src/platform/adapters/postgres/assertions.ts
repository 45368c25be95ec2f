import { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { StartupError } from '../../settings/settings-file.ts';
import { isConnectionFault, sqlState } from './faults.ts';
import { loginAt, NoSuchHost, type HostRole } from './hosts.ts';
import { SESSION_MARK, sessionOf, type Login } from './login.ts';
import { LIMITS } from './pool.ts';
import { assertCannotRewriteHistory } from './serving-role.ts';

/** Oldest PostgreSQL version that the migrations and queries are tested with. */
const OLDEST = 150_000;

export interface Logins {
  readonly owner: Login;
  readonly serve: Login;
  readonly ownerServes: boolean;
}

/** Check that the replica is one of this database. One that is away at the start is used when it comes back. */
export async function assertReplicates(owner: Client, login: Login, log: Log): Promise<void> {
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

export async function withClient<T>(
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

export async function assertRecent(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as version",
  );
  const [server] = rows;
  if (server === undefined || server.number < OLDEST)
    throw new StartupError(`DATABASE_URL points to PostgreSQL ${server?.version}; Highline needs 15 or newer.`);
}

/** Check that the serving login reaches the same database, works as the restricted role, and has the settings of a session. */
export async function assertServes(owner: Client, { serve, ownerServes }: Logins): Promise<void> {
  const variable = ownerServes ? 'DATABASE_URL' : 'DATABASE_SERVE_URL';
  // As a number: the sessions may be in different time zones, which `assertSession` checks.
  const here = 'select extract(epoch from pg_postmaster_start_time()) || current_database() as place';
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
