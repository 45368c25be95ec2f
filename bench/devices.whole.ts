import { readFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { devices as contract, groups } from '@highline/contract';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { startHighline, type Highline } from './cluster.ts';
import { atMost, figureOf, inTurn, type Aim } from './compare.ts';
import { moveFigure as jobFigure } from './devices.job.ts';
import { heldRouters, holdBefore, type DeviceBench } from './devices.seed.ts';
import { createHttpClient } from './http-client.ts';
import { cpuOf, cpuOfFamily, timed } from './measure.ts';
import { options } from './options.ts';
import { assessed, printTable, whole, type Figure } from './table.ts';

/** Devices that change their group at once. */
const MOVED = 15_000;
const mine = 'd.organization_id = $1 and d.archived_at is null';

/** What concerns all devices at once: the whole list as CSV, the overview, the groups, a move of many, and a start. */
export async function benchWhole(bench: DeviceBench): Promise<void> {
  const { cluster, database, organization, title } = bench;
  const figures = [await startFigure(bench)];
  const server = await startHighline(cluster, database);
  // Nothing else writes devices from here on.
  await server.ask('heartbeats', await heldRouters(database, organization));
  for (const table of ['devices', 'routers']) await database.owner.query(`vacuum analyze ${table}`);
  figures.push(...(await screenFigures(bench, server)), ...(await csvFigures(bench, server)), await moveFigure(bench, server));
  await server.stop();
  printTable(`All at once, ${title}`, figures, [
    'Once each, or p50 / p99 of 10. Ceiling: handwritten SQL; COPY TO of the same columns.',
  ]);
}

/** The whole list as CSV alone, three times. */
export async function benchCsv(bench: DeviceBench): Promise<void> {
  const server = await startHighline(bench.cluster, bench.database);
  await bench.database.owner.query('vacuum analyze devices');
  const figures: Figure[] = [];
  for (let round = 0; round < 3; round += 1) figures.push(...(await csvFigures(bench, server)));
  await server.stop();
  printTable(`The list as a file, ${bench.title}`, figures, ['Ceiling: COPY TO of the same columns, after it.']);
}

/** A job that moves many devices, with its progress. */
export async function benchJobs({ cluster, database, organization, bearer, title }: DeviceBench): Promise<void> {
  const server = await startHighline(cluster, database);
  const figures = [await jobFigure(database, organization, server, bearer)];
  await server.stop();
  printTable(`A job, ${title}`, figures, ['Median of 3, alternating. Ceiling: one statement that changes the same devices.']);
}

function once(name: string, ours: number, raw: number, aim: string, isMet: boolean): Figure {
  return { name, unit: 's', ours: [ours / 1_000], raw: [raw / 1_000], aim: assessed(aim, isMet) };
}

/** Until the server listens, and until the routers of the process that stopped are unknown and then online again. */
async function startFigure({ cluster, database, organization }: DeviceBench): Promise<Figure> {
  const held = await heldRouters(database, organization);
  const node = await holdBefore(database, held);
  const begin = performance.now();
  const server = await startHighline(cluster, database);
  const listens = performance.now() - begin;
  await server.ask('heartbeats', held);
  const pending = 'select count(*)::int as n from routers where held_by = $1 or (id = any ($2) and presence <> $3)';
  while ((await database.owner.query<{ n: number }>(pending, [node, held, 'online'])).rows[0]!.n > 0);
  const right = performance.now() - begin;
  await server.stop();
  return {
    name: `start, ${whole(held.length)} routers were online: listens; all right`,
    unit: 's',
    ours: [listens / 1_000, right / 1_000],
    aim: assessed('≤ 5 s; ≤ 60 s', listens <= 5_000 && right <= 60_000),
  };
}

async function screenFigures({ database, organization, bearer }: DeviceBench, server: Highline): Promise<Figure[]> {
  const client = createHttpClient(server.url, bearer);
  const raw = async (text: string) => database.owner.query(text, [organization.organizationId]);
  // Longer than any count is cached.
  const before = () => database.owner.query('select pg_sleep(2.1)');
  const measured = async (name: string, aim: Aim, ours: () => Promise<unknown>, text: string) => {
    return figureOf(name, await inTurn({ ours, raw: () => raw(text), before, warmUp: 1 }, options.short ? 1 : 10), aim);
  };
  const figures = [
    await measured(
      'overview, not cached',
      atMost(150),
      () => client.get(contract.statistics.path, {}),
      `select d.carrier, d.presence, count(*) from devices d where ${mine} group by 1, 2`,
    ),
    await measured(
      'groups, first page of 10',
      atMost(150),
      () => client.get(groups.listGroups.path, { limit: '10' }),
      `select g.*, (select count(*) from devices d where ${mine} and d.group_key = g.key) from groups g
       where g.organization_id = $1 order by g.name limit 10`,
    ),
  ];
  client.close();
  return figures;
}

const csvColumns = `d.presence, d.serial, d.vehicle_number, d.model, d.up_since, g.name, d.firmware, d.config, d.mac, d.carrier, d.started_on,
  d.expires_on, d.note, d.cell_id`;

async function csvFigures({ cluster, database, organization, bearer, count }: DeviceBench, server: Highline): Promise<Figure[]> {
  const memory = watchMemory(server.pid);
  const used = () => cpuOf(server.pid) + cpuOfFamily(cluster.pid()) + cpuOf(process.pid);
  let bytes = 0;
  const begin = used();
  const ours = await timed(async () => void (bytes = await download(`${server.url}${contract.exportDevices.path}`, bearer)));
  const [grew, between] = [memory(), used()];
  const client = new Client(database.serveUrl);
  await client.connect();
  const copy = `copy (select ${csvColumns} from devices d
      left join groups g on g.organization_id = d.organization_id and g.key = d.group_key
    where ${mine.replace('$1', `'${organization.organizationId}'`)} order by d.serial, d.id) to stdout (format csv)`;
  const raw = await timed(async () => {
    for await (const _ of client.query(copyTo(copy)));
  });
  const end = used();
  await client.end();
  return [
    once(`CSV of ${whole(count)} devices`, ours, raw, '≤ 1.3 ×', ours / raw <= 1.3),
    { name: '  processor of the three processes', unit: 's', ours: [between - begin], raw: [end - between] },
    { name: '  size; growth of the server', unit: 'MB', ours: [bytes / 1e6, grew / 1024 ** 2] },
  ];
}

function download(url: string, bearer: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${bearer}`, 'accept-encoding': 'identity' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => (response.statusCode === 200 ? resolve(bytes) : reject(new Error(String(response.statusCode)))));
    }).on('error', reject);
  });
}

/** @returns how many bytes the process grew at most since the call */
function watchMemory(pid: number): () => number {
  const resident = () => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  const before = resident();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, resident())), 50);
  return () => {
    clearInterval(timer);
    return most - before;
  };
}

/** Devices move to another group and back, by our call and by one statement. */
async function moveFigure({ database, organization, bearer }: DeviceBench, server: Highline): Promise<Figure> {
  const { owner } = database;
  const parameters = [organization.organizationId, MOVED];
  await owner.query("insert into groups (organization_id, key, name) values ($1, 'moved', 'Moved') on conflict do nothing", [
    parameters[0],
  ]);
  const { rows } = await owner.query<{ id: string }>(
    `select d.id from devices d where ${mine} and d.expires_on > current_date and d.started_on <= current_date
     order by d.serial limit $2`,
    parameters,
  );
  const ids = rows.map(({ id }) => id);
  // Devices join from the default group.
  await owner.query("update devices set group_key = 'default+group+id' where organization_id = $1 and id = any ($2)", [
    parameters[0],
    ids,
  ]);
  const url = `${server.url}${groups.saveGroup.path.replace('{group}', 'moved')}`;
  const move = (body: unknown) => send(url, bearer, body);
  const set = (key: string) =>
    owner.query('update devices d set group_key = $3, version = version + 1 where d.organization_id = $1 and d.id = any ($2)', [
      parameters[0],
      ids,
      key,
    ]);
  const ours = await timed(() => move({ add: ids }));
  await move({ remove: ids });
  const raw = await timed(() => set('moved'));
  await set('default+group+id');
  return once(`move of ${whole(ids.length)} devices to a group`, ours, raw, '≤ 2 ×', ours / raw <= 2);
}

function send(url: string, bearer: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'PATCH', headers, agent: new Agent() }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(String(response.statusCode)))));
    });
    call.on('error', reject).end(JSON.stringify(body));
  });
}
