import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from '../platform/adapters/postgres/binaries.ts';
import { chooseRunAs, commandAs, give, type RunAs } from '../platform/adapters/postgres/run-as.ts';
import { OWNER, runAs, SERVE, type TestDatabase } from './database.ts';
import { freePort, until } from './process.ts';

/** One PostgreSQL of a pair, on a port of loopback; it trusts every login. */
export interface PostgresServer {
  readonly port: number;
  /** `postgresql://<user>@127.0.0.1:<port>/<database>` */
  url(user: string, database: string): string;
  /** Run statements as the superuser. */
  run(...statements: string[]): Promise<void>;
  /** One value, as the superuser. */
  read<T>(expression: string, database?: string): Promise<T>;
  /** Kill -9 all of its processes, and wait. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Of a killed server: become the standby of another one, with a copy of its data in place of the own. */
  follow(primary: PostgresServer): Promise<void>;
  /** Where its data are. */
  readonly folder: string;
}

/** A primary, its streaming replica, and a database on them for whole servers. */
export interface PostgresPair {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  readonly database: TestDatabase;
  close(): Promise<void>;
}

const DATABASE = 'highline';
const SUPERUSER = 'postgres';

/** Start a primary and a replica that streams from it. @param settings more settings of both */
export async function startPostgresPair(settings: Readonly<Record<string, string>> = {}): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-pair-'));
  const who = chooseRunAs(folder);
  const ports = [await freePort(), await freePort()] as const;
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await createCluster(first, who, settings);
  // A cluster that never ran: its copy is a base backup.
  spawnSync('cp', ['-a', first, second]);
  makeStandby(second, ports[0], who);
  const [primary, replica] = [serverIn(first, ports[0], who), serverIn(second, ports[1], who)];
  await primary.start();
  await createDatabase(primary);
  await replica.start();
  const close = async () => {
    await Promise.all([primary.kill(), replica.kill()]);
    // The last of its processes may still write a file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  const database = databaseOn(primary, close);
  return { primary, replica, database, close };
}

function makeStandby(data: string, primaryPort: number, who: RunAs): void {
  writeFileSync(join(data, 'standby.signal'), '');
  give(join(data, 'standby.signal'), who);
  const conninfo = `host=127.0.0.1 port=${primaryPort} user=${SUPERUSER} application_name=replica`;
  // The last line of a setting counts.
  appendFileSync(join(data, 'postgresql.conf'), `primary_conninfo = '${conninfo}'\n`);
}

/** A base backup of a running server, without its log, which is streamed. */
async function copyData(source: PostgresServer, data: string, who: RunAs): Promise<void> {
  rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  mkdirSync(join(data, 'pg_wal'), { recursive: true, mode: 0o700 });
  for (const folder of [data, join(data, 'pg_wal')]) give(folder, who);
  const client = new Client(source.url(SUPERUSER, 'postgres'));
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const names = readdirSync(source.folder).filter((name) => name !== 'pg_wal' && name !== 'postmaster.pid');
    const copying = spawn('cp', ['-a', ...names.map((name) => join(source.folder, name)), data], { stdio: 'ignore' });
    // Files that vanish meanwhile are in the log that follows.
    await once(copying, 'close');
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    writeFileSync(join(data, 'backup_label'), rows[0]!.label);
    give(join(data, 'backup_label'), who);
  } finally {
    await client.end();
  }
}

async function createCluster(data: string, who: RunAs, settings: Readonly<Record<string, string>>): Promise<void> {
  const { initdb } = findBinaries();
  await finished(
    run(who, initdb, [`--pgdata=${data}`, `--username=${SUPERUSER}`, '--auth=trust', '--encoding=UTF8', '--no-sync']),
  );
  configure(data, { fsync: 'off', shared_buffers: '32MB', wal_level: 'replica', ...settings });
}

function configure(data: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
}

async function createDatabase(server: PostgresServer): Promise<void> {
  await server.run(
    ...[OWNER, SERVE].map((role) => `create role ${role} login`),
    'create role highline_serve',
    `grant highline_serve to ${SERVE}`,
    `create database ${DATABASE} owner ${OWNER}`,
  );
  await runAs(server.url(SUPERUSER, DATABASE), 'create extension pg_trgm');
}

function databaseOn(server: PostgresServer, close: () => Promise<void>): TestDatabase {
  const [ownerUrl, serveUrl] = [server.url(OWNER, DATABASE), server.url(SERVE, DATABASE)];
  return { settings: { kind: 'external', url: ownerUrl, serveUrl, poolSize: 8 }, ownerUrl, serveUrl, close };
}

/** A PostgreSQL that archives its WAL, as docs/operations.md describes for points in time. */
export interface ArchivedPostgres {
  readonly server: PostgresServer;
  readonly database: TestDatabase;
  /** Copy the data folder while the server works, as pg_basebackup and pgBackRest do. */
  backUp(): Promise<void>;
  /** Start another server with the copy and the archive, as of a time of PostgreSQL. */
  recoverTo(time: string): Promise<TestDatabase>;
  close(): Promise<void>;
}

/** Start one with an empty database for whole servers. */
export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-archive-'));
  const who = chooseRunAs(folder);
  const [data, copy, archive] = ['data', 'copy', 'archive'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(archive);
  give(archive, who);
  await createCluster(data, who, { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, archive_timeout: '60' });
  const server = serverIn(data, await freePort(), who);
  await server.start();
  await createDatabase(server);
  const started = [server];
  return {
    server,
    database: databaseOn(server, async () => {}),
    async backUp() {
      const client = new Client(server.url(SUPERUSER, 'postgres'));
      await client.connect();
      try {
        await client.query("select pg_backup_start('drill', true)");
        // Files may vanish and grow meanwhile: the WAL repairs what was copied in between.
        spawnSync('cp', ['-a', data, copy]);
        const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()');
        for (const name of ['postmaster.pid', 'pg_wal']) rmSync(join(copy, name), { recursive: true });
        mkdirSync(join(copy, 'pg_wal'), { mode: 0o700 });
        writeFileSync(join(copy, 'backup_label'), rows[0]!.label);
        for (const name of ['pg_wal', 'backup_label']) give(join(copy, name), who);
      } finally {
        await client.end();
      }
    },
    async recoverTo(time) {
      configure(copy, {
        archive_mode: 'off',
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: time,
        recovery_target_action: 'promote',
      });
      writeFileSync(join(copy, 'recovery.signal'), '');
      give(join(copy, 'recovery.signal'), who);
      const recovered = serverIn(copy, await freePort(), who);
      started.push(recovered);
      await recovered.start();
      await until(() => recovered.read<boolean>('not pg_is_in_recovery()'));
      return databaseOn(recovered, async () => {});
    },
    async close() {
      await Promise.all(started.map((one) => one.kill()));
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

function serverIn(data: string, port: number, who: RunAs): PostgresServer {
  const sockets = `${data}-sockets`;
  mkdirSync(sockets);
  give(sockets, who);
  let child: ChildProcess | undefined;
  const url = (user: string, database: string) => `postgresql://${user}@127.0.0.1:${port}/${database}`;
  const superuser = url(SUPERUSER, 'postgres');
  return {
    port,
    url,
    folder: data,
    async follow(primary) {
      await copyData(primary, data, who);
      makeStandby(data, primary.port, who);
      await this.start();
    },
    run: (...statements) => runAs(superuser, ...statements),
    async read<T>(expression: string, database = 'postgres') {
      const client = new Client(url(SUPERUSER, database));
      await client.connect();
      try {
        return (await client.query<{ value: T }>(`select ${expression} as value`)).rows[0]!.value;
      } finally {
        await client.end();
      }
    },
    async start() {
      const options = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: sockets };
      const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      child = run(who, findBinaries().postgres, ['-D', data, ...args]);
      const started = child;
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${outputOf.get(started)}`);
        await runAs(superuser, 'select 1');
        return true;
      });
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      // Its other processes notice it within moments, and until then they hold its port.
      rmSync(join(data, 'postmaster.pid'), { force: true });
    },
  };
}

const outputOf = new WeakMap<ChildProcess, string>();

function run(who: RunAs, program: string, args: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  const child = spawn('setpriv', commandAs(who, 'KILL', program, args), { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => outputOf.set(child, `${outputOf.get(child) ?? ''}${chunk.toString()}`.slice(-4_000)));
  return child;
}

async function finished(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`A program of PostgreSQL failed: ${outputOf.get(child)}`);
}
