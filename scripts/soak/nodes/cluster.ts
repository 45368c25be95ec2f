import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsServer, startNatsServer, startS3Server } from '@highline/testkit/services';
import { startTestSmtp, type TestSmtp } from '@highline/testkit/mail';
import { freePort, type ServerProcess, startServerProcess, until } from '@highline/testkit/server';
import { type Sql, startStormDatabase, type StormDatabase } from './database.ts';
import { createLink, type Link } from './link.ts';
import { prepareVersions, type Versions } from './versions.ts';

/** A server process, and the links that can be cut between it and what it needs. */
export interface StormNode {
  readonly name: string;
  readonly server: ServerProcess;
  /** To the primary and to the standby, whichever is which. */
  readonly toDatabase: readonly Link[];
  readonly toNats: Link;
  /** From the proxy in front. */
  readonly fromFront: Link;
  /** The program of its next start. */
  version: keyof Versions;
}

/** Several server processes with PostgreSQL and its replica, NATS, a store, a mail server, and HAProxy in front. */
export interface StormCluster {
  readonly nodes: readonly StormNode[];
  /** http://host:port of the proxy. */
  readonly url: string;
  readonly database: StormDatabase;
  readonly nats: NatsServer;
  readonly smtp: TestSmtp;
  readonly sql: Sql;
  readonly versions: Versions;
  close(): Promise<void>;
}

/** @param revision of the version before; the nodes begin with the former one. @see prepareVersions */
export async function startStormCluster(count: number, revision: string | undefined): Promise<StormCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-storm-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const versions = prepareVersions(join(folder, 'version'), revision);
    return { ...(await startIn(folder, count, versions, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startIn(
  folder: string,
  count: number,
  versions: Versions,
  closers: (() => unknown)[],
): Promise<Omit<StormCluster, 'close'>> {
  const database = await startStormDatabase();
  closers.push(() => database.close());
  const nats = await startNatsServer();
  closers.push(() => nats.close());
  const s3 = await startS3Server();
  closers.push(() => s3.close());
  const smtp = await startTestSmtp();
  closers.push(() => smtp.down());
  const frontPort = await freePort();
  const url = `http://127.0.0.1:${frontPort}`;
  const shared = { masterKey: randomBytes(32).toString('hex'), url, bucket: await s3.bucketUrl('storm') };
  const nodes: StormNode[] = [];
  for (let index = 0; index < count; index++) {
    const dataDir = join(folder, `node-${index + 1}`);
    nodes.push(await startNode(`node ${index + 1}`, dataDir, { ...shared, database, nats, smtp, versions }, closers));
  }
  const front = await startFront(join(folder, 'haproxy.cfg'), frontPort, nodes);
  closers.push(() => front.kill('SIGKILL'));
  return { nodes, url, database, nats, smtp, sql: database.sql, versions };
}

interface Surroundings extends Pick<StormCluster, 'url' | 'database' | 'nats' | 'smtp' | 'versions'> {
  readonly masterKey: string;
  readonly bucket: string;
}

async function startNode(
  name: string,
  dataDir: string,
  { url, database, nats, smtp, versions, masterKey, bucket }: Surroundings,
  closers: (() => unknown)[],
): Promise<StormNode> {
  const [first, second] = database.servers;
  const toDatabase = [await createLink(() => first.port), await createLink(() => second.port)] as const;
  const toNats = await createLink(() => nats.port);
  const ports = [toDatabase[0].port, toDatabase[1].port] as const;
  const program: Pick<StormNode, 'version'> = { version: 'former' };
  const server = await startServerProcess(dataDir, 50, [], {
    ownerUrl: database.url('owner', ports),
    serveUrl: database.url('serve', ports),
    masterKey,
    program: () => join(versions[program.version], 'apps/server/src/main.ts'),
    environment: {
      PUBLIC_URL: url,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Highline <storm@highline.invalid>',
      BLOBS_URL: bucket,
      DATABASE_READ_URL: database.url('serve', ports),
      NATS_URL: nats.url().replace(`:${nats.port}`, `:${toNats.port}`),
      TRUSTED_PROXIES: 'loopback',
      ROLLOUT_DOWNLOADS: '50',
      // Nodes start often.
      NODE_COMPILE_CACHE: join(dataDir, '..', 'compiled'),
      LOG_LEVEL: process.env['STORM_LOG'] ?? 'fatal',
    },
  });
  const fromFront = await createLink(() => server.port);
  closers.push(() => server.kill());
  for (const link of [...toDatabase, toNats, fromFront]) closers.push(() => link.close());
  return Object.assign(program, { name, server, toDatabase, toNats, fromFront });
}

/**
 * HAProxy: a node that does not answer for twelve seconds gets no requests, and its connections are closed. Less, and a machine that is
 * busy closes the connections of nodes that are well, which makes it busier.
 */
async function startFront(file: string, port: number, nodes: readonly StormNode[]): Promise<ChildProcess> {
  const servers = nodes.map(({ fromFront }, index) => `  server n${index + 1} 127.0.0.1:${fromFront.port}`);
  const lines = [
    'global',
    '  maxconn 9500',
    'defaults',
    '  mode http',
    '  retries 2',
    '  option redispatch',
    '  timeout connect 2s',
    '  timeout client 90s',
    '  timeout server 90s',
    '  timeout tunnel 1h',
    '  timeout check 3s',
    'frontend front',
    `  bind 127.0.0.1:${port}`,
    '  default_backend nodes',
    'backend nodes',
    '  balance leastconn',
    '  option httpchk GET /livez',
    '  option forwardfor',
    '  default-server check inter 1s fall 3 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    '',
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn('haproxy', ['-q', '-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', (error) => console.error(`haproxy: ${error.message}`));
  await until(async () => {
    if (child.exitCode !== null) throw new Error('HAProxy ended.');
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  });
  return child;
}
