import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { pino } from 'pino';
import { createDatabase, openDatabase, startEmbedded, systemClock, urlOf, type Database } from '@highline/testkit/database';
import { createSeeding, type Seeding } from '@highline/testkit/seeding';
import { freePort } from '@highline/testkit/server';
import { startChild, type Child } from './child.ts';
import type { HighlineResponses } from './highline.ts';
import { options } from './options.ts';
import { STATEMENT_SETTINGS } from './statements.ts';

export const silentLog = pino({ level: 'silent' });

/** One PostgreSQL for the whole run, with production settings and full durability. */
export interface Cluster {
  /** Folder for files, on the disk of the database. */
  readonly folder: string;
  pid(): number;
  /** A login that may read the statistics of all databases. */
  readonly superuser: ClientConfig;
  /** A database with the schema: without rows, or as an earlier run left it in the folder of `--cache`. */
  open(name: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

export interface BenchDatabase {
  readonly name: string;
  readonly ownerUrl: string;
  readonly serveUrl: string;
  /** Connected as the owner; until `reconnect` the one that PostgreSQL had before it was killed. */
  readonly owner: Client;
  reconnect(): Promise<void>;
  readonly seeding: Seeding;
  /** What `seed` returned, which runs once per database: `--cache` keeps both. The result must be JSON. */
  seeded<Result>(seed: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const kept = options.cache;
  if (kept !== undefined) mkdirSync(kept, { recursive: true });
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'highline-bench-'));
  const embedded = await startEmbedded({
    folder: join(folder, 'postgres'),
    log: silentLog,
    ...(options.statements && { settings: STATEMENT_SETTINGS }),
  });
  return {
    folder,
    pid: () => embedded.pid() ?? 0,
    superuser: embedded.superuser,
    async open(name) {
      const superuser = new Client(embedded.superuser);
      await superuser.connect();
      const { rowCount } = await superuser.query('select from pg_database where datname = $1', [name]);
      if (rowCount === 0) await superuser.query(`create database ${name} owner ${embedded.owner.user}`);
      await superuser.end();
      return openBenchDatabase(name, urlOf({ ...embedded.owner, database: name }), urlOf({ ...embedded.serve, database: name }));
    },
    async stop() {
      await embedded.stop();
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openBenchDatabase(name: string, ownerUrl: string, serveUrl: string): Promise<BenchDatabase> {
  const opened = await openDatabase({ kind: 'external', url: ownerUrl, serveUrl, poolSize: 2 }, silentLog);
  let owner = await connectClient(ownerUrl);
  return {
    name,
    ownerUrl,
    serveUrl,
    get owner() {
      return owner;
    },
    async reconnect() {
      owner = await connectClient(ownerUrl);
    },
    seeding: createSeeding(
      createDatabase(opened.pool, () => {}),
      systemClock,
    ),
    async seeded<Result>(seed: () => Promise<Result>): Promise<Result> {
      // In a schema of its own: a backup copies `public`.
      await owner.query('create schema if not exists bench');
      await owner.query('create table if not exists bench.seed (result jsonb)');
      const { rows } = await owner.query<{ result: Result }>('select result from bench.seed');
      if (rows.length > 0) return rows[0]!.result;
      const result = await seed();
      await owner.query('insert into bench.seed values ($1)', [JSON.stringify(result)]);
      return result;
    },
    async close() {
      await owner.end();
      await opened.close();
    },
  };
}

async function connectClient(url: string): Promise<Client> {
  const client = new Client(url);
  // When a section fails, PostgreSQL is stopped under it; report the failure of the section instead.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** What a part of the server is measured with in this process, on a pool of the serving role. */
export interface PartDeps {
  readonly database: Database;
  readonly clock: typeof systemClock;
  readonly log: typeof silentLog;
}

/** Open a database for parts of the server that run in this process. */
export async function openParts(
  { ownerUrl: url, serveUrl }: BenchDatabase,
  poolSize = 4,
): Promise<{ deps: PartDeps; close(): Promise<void> }> {
  const { pool, close } = await openDatabase({ kind: 'external', url, serveUrl, poolSize }, silentLog);
  return { deps: { database: createDatabase(pool, () => {}), clock: systemClock, log: silentLog }, close };
}

/** A main account, one of its organizations, and an admin with access. */
export async function seedOrganization({ seeding }: BenchDatabase) {
  const { scope: main } = await seeding.mainAccount('Bench');
  const scope = await seeding.organization(main, 'Metro Transit');
  const id = await seeding.account(scope, 'admin@bench.example', 'admin');
  return { main, scope, ...scope, admin: { id, bearer: await seeding.bearer(id) } };
}

/** For reads only: a starting server writes every router marked online, and again when it does not return. */
export async function prepareForReads({ owner }: BenchDatabase, tables: readonly string[]): Promise<void> {
  for (const table of ['devices', 'routers']) await owner.query(`update ${table} set presence = 'offline'`);
  for (const table of ['devices', 'routers', ...tables]) await owner.query(`vacuum (analyze) ${table}`);
}

export interface Highline extends Child<HighlineResponses> {
  /** http://host:port */
  readonly url: string;
}

/** The server as a separate process on a database. @param settings additional settings @param port where one was that was killed */
export async function startHighline(
  cluster: Cluster,
  database: BenchDatabase,
  settings: NodeJS.ProcessEnv = {},
  port?: number,
): Promise<Highline> {
  port ??= await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChild<HighlineResponses>('highline.ts', {
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
    // Its keys belong to the database.
    HIGHLINE_DATA_DIR: join(cluster.folder, `data-${database.name}`),
    LOG_LEVEL: 'error',
    ...settings,
  });
  return { ...child, url };
}
