import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { logs as contract } from '@highline/contract';
import { startHighline, type Cluster } from './cluster.ts';
import { comparePairs, draws, printLists, type Pair } from './compare.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { ENTRIES, seedLog } from './logs.seed.ts';
import { openRawLog, type RawLog } from './logs.sql.ts';
import { measureWrites } from './logs.writes.ts';
import { timed } from './measure.ts';
import { printTable, times, type Figure } from './table.ts';

const ROUNDS = 105;
const cli = fileURLToPath(new URL('../apps/server/src/cli/main.ts', import.meta.url));
const DAY_MS = 86_400_000;

/**
 * The log of a million entries: lists over real HTTP alternating with raw SQL, the cost of an entry per write, and verification
 * of the whole log.
 */
export async function benchLogs(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_logs');
  const seeded = await seedLog(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, seeded.bearer);
  const raw = await openRawLog(database.serveUrl, seeded.organizationId);
  const { figures, used } = await comparePairs(pairs(client, raw), ROUNDS, cluster, server);
  printLists(`Log, ${ENTRIES.toLocaleString('en')} entries of one organization`, `${ROUNDS}`, figures, used);
  const auditExport = await measureAuditExport(cluster, server.url, seeded.bearer);
  printTable('The whole log as a signed file', auditExport, [
    'Ceiling of the export: none. Of the verification: SHA-256 of the same bytes.',
  ]);
  client.close();
  await raw.close();
  await server.stop();
  printTable('Cost of an entry per write', await measureWrites(database, seeded), [
    'Ceiling: the same transaction (an update and its outbox row) without the entry.',
  ]);
  await database.close();
}

function pairs(client: HttpClient, raw: RawLog): Pair[] {
  const ask = (query: Readonly<Record<string, string>>) => client.get(contract.listLogs.path, { limit: '10', ...query });
  const near = draws((round) => 10 + ((round * 7919) % 900) * 10);
  const far = draws((round) => ((round * 7919) % (ENTRIES / 10)) * 10);
  const person = draws((round) => `person-${(round * 7919) % 200}@`);
  const device = draws((round) => `HL${String((round * 7919) % 20_000).padStart(8, '0')}`);
  const days = draws((round) => new Date(Date.now() - (1 + (round % 7)) * DAY_MS));
  return [
    { name: 'first page of 10, newest first', ours: () => ask({}), raw: () => raw.page(0) },
    { name: 'one of the first 900 pages', ours: () => ask({ offset: String(near.ours()) }), raw: () => raw.page(near.raw()) },
    { name: 'any page of 100,000', ours: () => ask({ offset: String(far.ours()) }), raw: () => raw.page(far.raw()) },
    {
      name: 'the last 1 to 7 days, with their total',
      ours: () => ask({ span: 'custom', from: american(days.ours()) }),
      raw: () => raw.since(startOfDay(days.raw())),
    },
    {
      name: 'search by user (5,000 entries), with their total',
      ours: () => ask({ field: 'email', search: person.ours() }),
      raw: () => raw.search('actor_email', person.raw()),
    },
    {
      name: 'search by device in the action (50), with total',
      ours: () => ask({ field: 'action', search: device.ours() }),
      raw: () => raw.search('action', device.raw()),
    },
  ];
}

const startOfDay = (at: Date) => new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`);

function american(at: Date): string {
  const [year, month, day] = at.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

async function measureAuditExport(cluster: Cluster, url: string, bearer: string): Promise<Figure[]> {
  const file = join(cluster.folder, 'log.ndjson');
  const saved = await timed(() => save(`${url}${contract.exportAuditLog.path}`, bearer, file));
  const key = createHttpClient(url, bearer);
  const { result } = await key.get<{ result: { publicKey: string } }>(contract.auditKey.path, {});
  key.close();
  const keyFile = join(cluster.folder, 'audit.pem');
  writeFileSync(keyFile, result.publicKey);
  const digest = await timed(async () => {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    hash.digest();
  });
  const memory = { peak: 0 };
  const verified = await timed(() => verify(keyFile, file, memory));
  const size = `${(statSync(file).size / 1e6).toFixed(0)} MB`;
  return [
    { name: `exported over HTTP, ${size}`, ours: `${(saved / 1_000).toFixed(1)} s` },
    {
      name: 'highline audit verify',
      ours: `${(verified / 1_000).toFixed(1)} s`,
      ceiling: `${(digest / 1_000).toFixed(1)} s`,
      ratio: times(verified / digest),
    },
    { name: 'entries verified per second', ours: `${((ENTRIES / verified) * 1_000).toFixed(0)}/s` },
    { name: 'its peak resident memory', ours: `${memory.peak.toFixed(0)} MB` },
  ];
}

function save(url: string, bearer: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${bearer}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${response.statusCode} for ${url}`));
      else resolve(pipeline(response, createWriteStream(file)));
    }).on('error', reject);
  });
}

/** In a separate process, like a user runs it. */
function verify(key: string, file: string, memory: { peak: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, 'audit', 'verify', '--key', key, file], { stdio: 'inherit' });
    const watch = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        memory.peak = Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1_000;
      } catch {
        // It has just ended.
      }
    }, 100);
    child.on('exit', (code) => {
      clearInterval(watch);
      if (code === 0) resolve();
      else reject(new Error(`audit verify ended with ${code}`));
    });
  });
}
