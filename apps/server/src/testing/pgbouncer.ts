import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseRunAs, commandAs, give } from '../platform/adapters/postgres/run-as.ts';
import { runAs, SERVE, testCluster, urlFor, type TestDatabase } from './database.ts';
import { freePort, until } from './process.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Debian's `pgbouncer`; tests with it are skipped where it is missing. */
export const hasPgBouncer = existsSync(PROGRAM);

export interface PgBouncer {
  /** The test database, whose serving login leads to the pooler. */
  readonly database: TestDatabase;
  /** End every connection to PostgreSQL after its transaction; the next ones have the present settings of their role. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/**
 * PgBouncer in transaction mode in front of a test database.
 * @param size connections to PostgreSQL, shared by all clients
 * @param settings more lines of its configuration
 */
export async function startPgBouncer(database: TestDatabase, size: number, settings: readonly string[] = []): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-pooler-'));
  const who = chooseRunAs(folder);
  const port = await freePort();
  const { superuser, password } = testCluster();
  const name = database.serveUrl.split('?', 1)[0]!.split('/').at(-1)!;
  const target = new URLSearchParams(superuser.split('?')[1]);
  const address = URL.parse(superuser);
  const [host, targetPort] = [target.get('host') ?? address?.hostname, target.get('port') ?? address?.port];
  const lines = [
    '[databases]',
    `${name} = host=${host} port=${targetPort} dbname=${name}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    `admin_users = ${SERVE}`,
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    ...settings,
  ];
  for (const [file, text] of [
    ['pgbouncer.ini', lines.join('\n')],
    ['users.txt', `"${SERVE}" "${password}"\n"highline_owner" "${password}"\n`],
  ] as const) {
    writeFileSync(join(folder, file), text);
    give(join(folder, file), who);
  }
  const child = spawn('setpriv', commandAs(who, 'KILL', PROGRAM, [join(folder, 'pgbouncer.ini')]), { stdio: 'ignore' });
  const serveUrl = `postgresql://${SERVE}@127.0.0.1:${port}/${name}`;
  const admin = urlFor(serveUrl, SERVE, '', 'pgbouncer');
  await until(async () => {
    if (child.exitCode !== null) throw new Error('PgBouncer ended.');
    await runAs(admin, 'show version');
    return true;
  });
  return {
    database: { ...database, settings: { ...database.settings, serveUrl }, serveUrl },
    reconnect: () => runAs(admin, 'reconnect'),
    async close() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
