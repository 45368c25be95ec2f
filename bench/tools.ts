import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { sentCommands } from '@highline/contract';
import type { BareResponses } from './bare.ts';
import { startChild } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { description, seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { allReconciled } from './routers.ts';
import type { SocketsResponses } from './sockets.ts';
import { assessed, printTable } from './table.ts';
import { benchWaiting } from './tools-waiting.ts';

const FEW = 20;
const COMMANDS = options.short ? 20 : 200;

/** One way to a router over LTE, milliseconds. */
const ONE_WAY_MS = 25;
const COMMAND_BYTES = 120;
const MOST_RATIO = 1.5;

/** A command from the call to its result, over a link as long as that of a vehicle; and a storm in which many commands wait (issue 30). */
export async function benchTools(cluster: Cluster): Promise<void> {
  if (options.part !== 'waiting') await benchCommand(cluster);
  if (options.part !== 'command') await benchWaiting(cluster);
}

async function benchCommand(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_tools');
  const seeded = await seedRouters(database, FEW);
  const server = await startHighline(cluster, database);
  const link = await startLink(Number(new URL(server.url).port));
  const fleet = await startChild<FleetResponses>('fleet.ts');
  await fleet.ask('start', `ws://127.0.0.1:${link.port}`, seeded.routers.map(description), 100);
  await allReconciled(server, FEW);
  const ours = await commandTimes(server, database, seeded);
  await fleet.stop();
  link.close();
  await server.stop();
  await database.close();
  const echo = await echoTimes();
  const [p50, p99] = [percentile(ours, 0.5), percentile(ours, 0.99)];
  const raw = [percentile(echo, 0.5), percentile(echo, 0.99)];
  printTable(
    `A command to a router that is connected over a link of ${2 * ONE_WAY_MS} ms`,
    [
      {
        name: 'from the call to its result in a call',
        unit: 'ms',
        ours: [p50, p99],
        raw,
        aim: assessed(`≤ ${MOST_RATIO} × p50`, p50 <= MOST_RATIO * raw[0]!),
      },
    ],
    [
      `p50 / p99 of ${COMMANDS}, one after another. Ceiling: an echo over a bare WebSocket and the same link, without database and HTTP.`,
    ],
  );
}

/** Milliseconds of each command: sent by a call, then read until it has ended. */
async function commandTimes({ url }: Highline, { owner }: BenchDatabase, { routers, person }: ClaimedRouters): Promise<number[]> {
  const headers = { authorization: `Bearer ${person.bearer}`, 'content-type': 'application/json' };
  const { rows } = await owner.query<{ id: string }>('select device_id as id from routers');
  const path = `${url}${sentCommands.sendCommand.path}`;
  const times: number[] = [];
  for (let index = 0; index < COMMANDS; index++) {
    const device = rows[index % routers.length]!.id;
    const begin = performance.now();
    const sent = await fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ device, kind: 'report' }),
    });
    if (sent.status !== 200) throw new Error(await sent.text());
    const { id } = ((await sent.json()) as { result: { id: string } }).result;
    for (;;) {
      const { result } = (await (await fetch(`${path}?device=${device}&limit=1`, { headers })).json()) as {
        result: { id: string; state: string }[];
      };
      const state = result.find((each) => each.id === id)?.state;
      if (state === 'done') break;
      if (state === 'failed') throw new Error(`Command ${id} failed.`);
    }
    times.push(performance.now() - begin);
  }
  return times;
}

async function echoTimes(): Promise<number[]> {
  const echo = await startChild<BareResponses>('bare.ts');
  const link = await startLink(await echo.ask('port'));
  const sockets = await startChild<SocketsResponses>('sockets.ts');
  await sockets.ask('open', `ws://127.0.0.1:${link.port}`, FEW);
  const times = await echo.ask('commands', COMMANDS, COMMAND_BYTES);
  await sockets.stop();
  link.close();
  await echo.stop();
  return times;
}

/** A TCP relay that delays each byte as a mobile network does. */
async function startLink(target: number): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const relay = (from: Socket, to: Socket) => {
    sockets.add(from.setNoDelay());
    from.on('data', (part) => void setTimeout(() => to.writable && to.write(part), ONE_WAY_MS));
    from.on('close', () => void setTimeout(() => to.destroy(), ONE_WAY_MS));
    from.on('error', () => from.destroy());
  };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    relay(near, far);
    relay(far, near);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
