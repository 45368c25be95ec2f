import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sentCommands } from '@highline/contract';
import type { BareResponses } from './bare.ts';
import { startChild } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { allReconciled } from './routers.ts';
import { description, seedRouters, type ClaimedRouters } from './routers.seed.ts';
import type { SocketsResponses } from './sockets.ts';
import { assessed, printTable, whole } from './table.ts';

const FEW = 20;
const COMMANDS = options.short ? 20 : 200;
const WAITING = options.routers ?? (options.short ? 200 : 10_000);
const RAMP_MS = options.short ? 1_000 : 10_000;
/** One way to a router over LTE, milliseconds. */
const ONE_WAY_MS = 25;
const COMMAND_BYTES = 120;
const MOST_RATIO = 1.5;
const MOST_SECONDS = 60;

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

async function benchWaiting(cluster: Cluster): Promise<void> {
  const without = await stormOf(cluster, 'bench_tools_without', false);
  const waiting = await stormOf(cluster, 'bench_tools_waiting', true);
  printTable(
    `A storm of ${whole(WAITING)} routers, for each of which a command waits`,
    [
      {
        name: 'until every command has ended',
        unit: 's',
        ours: [waiting.seconds],
        raw: [without.seconds],
        aim: assessed(`≤ ${MOST_SECONDS} s`, waiting.seconds <= MOST_SECONDS && waiting.done === WAITING),
      },
      {
        name: 'transactions for each command, beyond those of the storm',
        unit: '',
        ours: [(waiting.transactions - without.transactions) / WAITING],
        aim: assessed('< 1', waiting.transactions - without.transactions < WAITING),
      },
    ],
    [
      `Ceiling: until all are connected and reconciled, without commands; they connect within ${RAMP_MS / 1_000} s.`,
      `${whole(waiting.done)} of ${whole(WAITING)} commands are done; each router was sent one ${whole(waiting.sends)} times in all.`,
    ],
  );
}

interface Storm {
  readonly seconds: number;
  readonly transactions: number;
  readonly done: number;
  readonly sends: number;
}

async function stormOf(cluster: Cluster, name: string, hasCommands: boolean): Promise<Storm> {
  const database = await cluster.open(name);
  const { owner } = database;
  const { routers, person } = await seedRouters(database, WAITING);
  if (hasCommands) await addWaiting(database, person.id);
  const server = await startHighline(cluster, database);
  const fleet = await startChild<FleetResponses>('fleet.ts');
  const committed = async () => {
    await pause(1_500);
    const { rows } = await owner.query<{ n: string }>(
      'select xact_commit as n from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]!.n);
  };
  const before = await committed();
  const begin = performance.now();
  const connected = fleet.ask('start', server.url.replace('http', 'ws'), routers.map(description), RAMP_MS);
  await connected;
  await allReconciled(server, WAITING);
  const open = async () =>
    (await owner.query<{ n: number }>('select count(*)::int as n from sent_commands where ended_at is null')).rows[0]!.n;
  while ((await open()) > 0) await pause(250);
  const seconds = (performance.now() - begin) / 1_000;
  const transactions = (await committed()) - before;
  const { rows } = await owner.query<{ done: number; sends: number }>(
    `select count(*) filter (where state = 'done')::int as done, coalesce(sum(sends), 0)::int as sends from sent_commands`,
  );
  await fleet.stop();
  await server.stop();
  await database.close();
  return { seconds, transactions, ...rows[0]! };
}

async function addWaiting({ owner }: BenchDatabase, accountId: string): Promise<void> {
  await owner.query(
    `insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, argument, actor, created_at,
       expires_at, due_at)
     select gen_random_uuid(), r.organization_id, r.main_account_id, r.device_id, r.id, r.serial, 'name', 'bench',
       jsonb_build_object('accountId', a.id, 'email', a.email, 'name', a.name, 'role', 'admin', 'mainAccountId', a.main_account_id,
         'organizationId', a.organization_id, 'address', '127.0.0.1', 'sessionId', ''), now(), now() + interval '1 day', now() + interval '1 day'
     from routers r cross join accounts a where a.id = $1`,
    [accountId],
  );
  await owner.query('analyze sent_commands');
}
