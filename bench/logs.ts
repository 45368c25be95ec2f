import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { logs as contract } from '@highline/contract';
import type { Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { type Pair, type Run } from './compare.ts';
import type { BigOrganization } from './devices.seed.ts';
import { ENTRIES, seedLog } from './logs.seed.ts';
import { measureWrites } from './logs.writes.ts';
import { timed } from './measure.ts';
import { amountOf, printTable, whole } from './table.ts';

const cli = fileURLToPath(new URL('../apps/server/src/cli/main.ts', import.meta.url));
const DAY_MS = 86_400_000;
const columns = 'e.seq, e.at, e.actor_email, e.actor_role, e.address, e.action, e.detail';

/**
 * The log of a million entries: lists over real HTTP alternating with raw SQL, the cost of an entry per write, and verification
 * of the whole log.
 */
export function benchLogs(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_logs',
    seed: seedLog,
    title: `Log, ${whole(ENTRIES)} entries of one organization`,
    rounds: 105,
    pairs,
    after: measureAuditExport,
    alone: measureWrites,
  });
}

function pairs({ clientOf, raw, seeded: { bearer, organizationId } }: Run<BigOrganization>): Pair[] {
  const client = clientOf(bearer);
  const ask = (query: Readonly<Record<string, string>>) => client.get(contract.listLogs.path, { limit: '10', ...query });
  const read = (condition: string, values: readonly unknown[], { offset = 0, total = 'count(*)' } = {}) => {
    const where = `from audit_entries e where e.chain_id = $1 and ${condition}`;
    return raw(
      [`select ${columns} ${where} order by e.at desc, e.seq desc limit 11 offset ${offset}`, [organizationId, ...values]],
      [`select (${total})::int as total ${where}`, [organizationId, ...values]],
    );
  };
  // A chain has no gaps: its first and last number give its length.
  const page = (offset: number) => read('true', [], { offset, total: 'max(e.seq) - min(e.seq) + 1' });
  const search = (column: string, text: string) => read(`e.${column} like '%' || $2 || '%'`, [text]);
  const near = (round: number) => 10 + ((round * 7919) % 900) * 10;
  const far = (round: number) => ((round * 7919) % (ENTRIES / 10)) * 10;
  const person = (round: number) => `person-${(round * 7919) % 200}@`;
  const device = (round: number) => `HL${String((round * 7919) % 20_000).padStart(8, '0')}`;
  const day = (round: number) => new Date(Date.now() - (1 + (round % 7)) * DAY_MS).toISOString().slice(0, 10);
  return [
    { name: 'first page of 10, newest first', ours: () => ask({}), raw: () => page(0) },
    {
      name: 'one of the first 900 pages',
      ours: (round) => ask({ offset: String(near(round)) }),
      raw: (round) => page(near(round)),
    },
    { name: 'any page of 100,000', ours: (round) => ask({ offset: String(far(round)) }), raw: (round) => page(far(round)) },
    {
      name: 'the last 1 to 7 days, with their total',
      ours: (round) => ask({ span: 'custom', from: day(round).replace(/^(.+)-(.+)-(.+)$/u, '$2/$3/$1') }),
      raw: (round) => read('e.at >= $2', [`${day(round)}T00:00:00Z`]),
    },
    {
      name: 'search by user (5,000 entries), with their total',
      ours: (round) => ask({ field: 'email', search: person(round) }),
      raw: (round) => search('actor_email', person(round)),
    },
    {
      name: 'search by device in the action (50), with total',
      ours: (round) => ask({ field: 'action', search: device(round) }),
      raw: (round) => search('action', device(round)),
    },
  ];
}

async function measureAuditExport({
  cluster,
  server: { url },
  clientOf,
  seeded: { bearer },
}: Run<BigOrganization>): Promise<void> {
  const file = join(cluster.folder, 'log.ndjson');
  const saved = await timed(() => save(`${url}${contract.exportAuditLog.path}`, bearer, file));
  const { result } = await clientOf(bearer).get<{ result: { publicKey: string } }>(contract.auditKey.path, {});
  const keyFile = join(cluster.folder, 'audit.pem');
  writeFileSync(keyFile, result.publicKey);
  const digest = await timed(async () => {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    hash.digest();
  });
  const memory = { peak: 0 };
  const verified = await timed(() => verify(keyFile, file, memory));
  printTable(
    `The whole log as a signed file of ${amountOf([statSync(file).size / 1e6], 'MB')}`,
    [
      { name: 'exported over HTTP', unit: 's', ours: [saved / 1_000] },
      { name: 'highline audit verify', unit: 's', ours: [verified / 1_000], raw: [digest / 1_000] },
      { name: 'entries verified per second', unit: '/s', ours: [(ENTRIES / verified) * 1_000] },
      { name: 'its peak resident memory', unit: 'MB', ours: [memory.peak] },
    ],
    ['Ceiling of the export: none. Of the verification: SHA-256 of the same bytes.'],
  );
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
