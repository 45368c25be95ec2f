import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { from as copyFrom } from 'pg-copy-streams';
import { Client } from 'pg';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { node24, root } from '../toolchain.mjs';
import { ms, percentile, times, type Figure } from './figures.ts';
import { freePort, until, type Stage } from './stage.ts';

const ROUTERS = 5_000;
const WATCH_MS = 30_000;
const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MB`;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

/** Enter routers into the inventory over the API, and keep their secrets. */
async function enter(stage: Stage, count: number): Promise<{ serial: string; mac: string; secret: string }[]> {
  const bearer = await stage.signIn('main');
  const form = new FormData();
  const lines = Array.from(
    { length: count },
    (_, index) => `LOAD${index},${(0xdd0000000000 + index).toString(16).toUpperCase()}`,
  );
  form.append('file', new Blob([`SN,MAC\n${lines.join('\n')}\n`]), 'routers.csv');
  const answer = await fetch(`${stage.url}/data_manager/v1/dm/inventory/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: form,
  });
  const { result } = (await answer.json()) as { result: { minted: { serial: string; mac: string; secret: string }[] } };
  return result.minted;
}

/** A bare echo server in a process of its own, with as many sockets that say as little: memory per socket. */
async function echoMemory(count: number): Promise<{ perSocket: number; roundTrip: number }> {
  const port = await freePort();
  const code = `import {WebSocketServer} from 'ws';const s=new WebSocketServer({port:${port},host:'127.0.0.1',perMessageDeflate:false});s.on('connection',c=>c.on('message',m=>c.send(m)));process.on('message',()=>{globalThis.gc();process.send(process.memoryUsage().rss)});process.send(0)`;
  const child = spawn(node24(), ['--expose-gc', '--input-type=module', '-e', code], {
    cwd: join(root, 'apps/server'),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve) => {
    child.once('message', resolve);
  });
  const rss = () =>
    new Promise<number>((resolve) => {
      child.once('message', (bytes) => resolve(bytes as number));
      child.send('measure');
    });
  const before = await rss();
  const sockets = Array.from({ length: count }, () => new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false }));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('open', resolve);
        }),
    ),
  );
  const perSocket = ((await rss()) - before) / count;
  const samples: number[] = [];
  for (let index = 0; index < 300; index += 1) {
    const begin = performance.now();
    await new Promise((resolve) => {
      sockets[index % count]!.once('message', resolve);
      sockets[index % count]!.send('hello');
    });
    samples.push(performance.now() - begin);
  }
  for (const socket of sockets) socket.terminate();
  child.kill();
  return { perSocket, roundTrip: percentile(samples, 0.99) };
}

/** 5,000 routers on one server process. */
export async function benchRouters(stage: Stage): Promise<Figure[]> {
  const minted = await enter(stage, ROUTERS);
  const echo = await echoMemory(ROUTERS);
  await pause(3_000);
  const before = stage.memory();
  const { startFleet } = await import('../../apps/router/src/index.ts');
  const begin = performance.now();
  const fleet = startFleet({
    server: stage.url.replace('http', 'ws'),
    routers: minted.map((router) => ({ ...router, model: 'HL-R320' })),
  });
  await fleet.whenAllConnected();
  const admitted = performance.now() - begin;
  const online = async () =>
    (
      await stage.owner.query<{ count: number }>(
        "select count(*)::int as count from routers where presence = 'online' and reported <> '{}' and serial like 'LOAD%'",
      )
    ).rows[0]!.count;
  await until(async () => (await online()) === ROUTERS);
  const told = performance.now() - begin;
  await pause(5_000);
  const [cpuBefore, ownBefore] = [stage.cpu(), process.cpuUsage()];
  await pause(WATCH_MS);
  const cpu = (stage.cpu() - cpuBefore) / (WATCH_MS / 1000);
  const own = process.cpuUsage(ownBefore);
  const perRouter = (stage.memory() - before) / ROUTERS;
  const visible = await changeVisible(
    stage,
    fleet,
    minted.slice(0, 60).map(({ serial }) => serial),
  );
  await fleet.stop();
  const generator = (own.user + own.system) / 1e6 / (WATCH_MS / 1000);
  return [
    {
      name: `memory per router (${ROUTERS} connected)`,
      ours: kilobytes(perRouter),
      ceiling: `echo ${kilobytes(echo.perSocket)}`,
      ratio: times(perRouter, echo.perSocket),
      aim: '≤ 12 KB',
    },
    { name: 'server memory in all', ours: megabytes(stage.memory()), ceiling: '', ratio: '', aim: '' },
    {
      name: 'CPU at a 60 s heartbeat',
      ours: `${(cpu * 100).toFixed(1)} % of a core`,
      ceiling: `generator ${(generator * 100).toFixed(1)} %`,
      ratio: '',
      aim: '',
    },
    {
      name: 'all admitted / all told',
      ours: `${(admitted / 1000).toFixed(1)} s / ${(told / 1000).toFixed(1)} s`,
      ceiling: '',
      ratio: '',
      aim: 'none refused',
    },
    {
      name: 'power cut → row in the table',
      ours: `p50 ${ms(percentile(visible, 0.5))}, p99 ${ms(percentile(visible, 0.99))}`,
      ceiling: `echo round trip p99 ${ms(echo.roundTrip)}`,
      ratio: '',
      aim: 'p99 ≤ 1 s in a console',
    },
  ];
}

/** From a router's power cut to its state in the database. */
async function changeVisible(
  stage: Stage,
  fleet: { routers: ReadonlyMap<string, { powerCut(ms: number): void }> },
  serials: readonly string[],
): Promise<number[]> {
  const samples: number[] = [];
  for (const serial of serials) {
    const begin = performance.now();
    fleet.routers.get(serial)!.powerCut(600_000);
    await until(
      async () =>
        (await stage.owner.query("select 1 from routers where serial = $1 and presence = 'offline'", [serial])).rows.length === 1,
    );
    samples.push(performance.now() - begin);
  }
  return samples;
}

const VALUES = 400_000;

/** Rows into the time series by the server's own writer, and by a bare COPY of the same rows. */
export async function benchTelemetry(stage: Stage): Promise<Figure[]> {
  const { openDatabase } = await import('../../apps/server/src/adapters/postgres/connect.ts');
  const { createDatabase } = await import('../../apps/server/src/adapters/database.ts');
  const { createTelemetry } = await import('../../apps/server/src/domains/telemetry/index.ts');
  const { systemClock } = await import('../../apps/server/src/ports/clock.ts');
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const opened = await openDatabase({ kind: 'external', url: stage.ownerUrl, poolSize: 6 }, quiet);
  const telemetry = createTelemetry({
    database: createDatabase(opened.pool, () => {}),
    clock: systemClock,
    log: quiet,
    retentionDays: 30,
  });
  await telemetry.start();
  const { rows } = await stage.owner.query<{ id: string }>('select id from routers order by serial limit 1000');
  const names = ['rssi', 'rsrp', 'rsrq', 'temperature', 'voltage', 'bytes_sent', 'bytes_received', 'battery'] as const;
  const begin = performance.now();
  const writes: Promise<void>[] = [];
  for (let written = 0; written < VALUES; written += names.length) {
    const at = Date.now() - written;
    writes.push(
      telemetry.write(
        rows[(written / names.length) % rows.length]!.id,
        names.map((parameter) => ({ parameter, at, value: written })),
      ),
    );
    if (writes.length >= 2_000) await Promise.all(writes.splice(0));
  }
  await Promise.all(writes);
  const ours = VALUES / ((performance.now() - begin) / 1000);
  await telemetry.stop();
  await opened.close();
  const raw = new Client(stage.ownerUrl);
  await raw.connect();
  const lines = Array.from({ length: VALUES / names.length }, (_, index) =>
    names
      .map(
        (_name, parameter) =>
          `${rows[index % rows.length]!.id}\t${new Date(Date.now() - index).toISOString()}\t${parameter + 1}\t${index}\n`,
      )
      .join(''),
  );
  const copied = performance.now();
  await pipeline(Readable.from(lines), raw.query(copyFrom('copy telemetry (router_id, at, parameter, value) from stdin')));
  const ceiling = VALUES / ((performance.now() - copied) / 1000);
  await raw.end();
  return [
    {
      name: 'parameter values durable per second (writer, after commit)',
      ours: Math.round(ours).toLocaleString('en-US'),
      ceiling: `COPY ${Math.round(ceiling).toLocaleString('en-US')}`,
      ratio: times(ours, ceiling),
      aim: 'recorded',
    },
  ];
}
