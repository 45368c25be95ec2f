import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createZstdCompress } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { startServerProcess } from '@highline/testkit/server';
import { root } from '../scripts/toolchain.mjs';
import type { BenchDatabase, Cluster } from './cluster.ts';
import { DEVICES, seedDevices } from './devices.seed.ts';
import { timed } from './measure.ts';
import { options } from './options.ts';
import { printTable, whole, type Figure } from './table.ts';

const execute = promisify(execFile);
const count = options.devices ?? DEVICES;

/** `highline backup` of an installation with `--devices`, and `highline verify --restore` of the copy (NOD-06). */
export async function benchBackup(cluster: Cluster): Promise<void> {
  const database = await cluster.open(`bench_backup_${count}`);
  await database.seeded(() => seedDevices(database, count));
  const folder = mkdtempSync(join(cluster.folder, 'backup-'));
  try {
    printTable(`Backup, ${whole(count)} devices in one organization`, await figuresOf(database, folder), [
      'Each command once, as a process. Ceiling: COPY TO of the same tables, compressed as the backup is, into files on the same disk.',
    ]);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figuresOf(database: BenchDatabase, folder: string): Promise<Figure[]> {
  const environment = await startOnce(database, join(folder, 'data'));
  const highline = (...args: readonly string[]) =>
    execute(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'apps/server/src/cli/main.ts'), ...args], {
      env: { ...process.env, ...environment },
    });
  const to = join(folder, 'copy');
  const copied = await timed(() => highline('backup', '--to', to));
  const tables = readdirSync(join(to, 'tables'));
  const raw = await timed(() => copyTables(database, tables, folder));
  const checked = await timed(() => highline('verify', '--from', to));
  const restored = await timed(() => highline('verify', '--restore', '--from', to));
  const megabytes = sizeOf(to) / 1e6;
  const figure = (name: string, ms: number): Figure => ({ name, unit: 's', ours: [ms / 1_000], aim: 'recorded' });
  return [
    { ...figure(`backup, ${megabytes.toFixed(0)} MB`, copied), raw: [raw / 1_000] },
    figure('verify', checked),
    figure('verify --restore', restored),
  ];
}

/** Only a database on which a server was started can be copied. @returns its environment */
async function startOnce(database: BenchDatabase, dataDir: string): Promise<Record<string, string>> {
  const masterKey = randomBytes(32).toString('hex');
  const server = await startServerProcess(dataDir, 4, [], {
    ownerUrl: database.ownerUrl,
    serveUrl: database.serveUrl,
    masterKey,
  });
  await server.stop();
  return {
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
    HIGHLINE_MASTER_KEY: masterKey,
    HIGHLINE_DATA_DIR: dataDir,
    PUBLIC_URL: server.url,
    TUNNEL_URL: server.url,
    SMTP_URL: 'none',
  };
}

async function copyTables(database: BenchDatabase, files: readonly string[], folder: string): Promise<void> {
  const client = new Client(database.ownerUrl);
  await client.connect();
  for (const file of files) {
    const [table] = file.split('.');
    const stream = client.query(copyTo(`copy (select * from ${client.escapeIdentifier(table!)}) to stdout`));
    await pipeline(stream, createZstdCompress(), createWriteStream(join(folder, `raw-${file}`)));
  }
  await client.end();
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
