import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServerProcess, until, type ServerProcess } from '../testing/process.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../testing/rollouts.ts';
import type { TestServer } from '../testing/server.ts';
import { fetchDownload, type Operation } from '../testing/updating-router.ts';

// Several servers on one database, with real sockets. Two of them run in this process; the one that is frozen and killed is another.

/** Time after which a router without a node is offline. */
const OFFLINE_SECONDS = 4;
const ROUNDS = 5;

let fixture: RolloutFixture;
let group: string;
let a: TestServer;
let b: TestServer;

beforeAll(async () => {
  fixture = await openRolloutFixture({ offlineSeconds: OFFLINE_SECONDS, lease: { renewMs: 200 } });
  group = await fixture.group();
  a = fixture.server;
  b = await fixture.startAnother();
});
afterAll(() => fixture.close());

const wsOf = (server: Pick<TestServer, 'url'>) => server.url.replace('http', 'ws');

interface Shown {
  readonly presence: string;
  /** Name of the node that holds it. */
  readonly node: string | null;
}

async function shown({ serial }: Pick<GroupRouter, 'serial'>): Promise<Shown> {
  const { rows } = await a.owner.query<Shown>(
    `select d.presence, n.name as node from devices d join routers r on r.id = d.router_id left join nodes n on n.id = r.held_by
      where d.serial = $1`,
    [serial],
  );
  return rows[0]!;
}

/** Its connection history, oldest first. */
async function historyOf({ serial }: Pick<GroupRouter, 'serial'>): Promise<string[]> {
  const { rows } = await a.owner.query<{ line: string }>(
    `select c.kind || ': ' || c.reason as line from connectivity c join routers r on r.id = c.router_id where r.serial = $1
      order by c.at`,
    [serial],
  );
  return rows.map(({ line }) => line);
}

async function connectTo(server: Pick<TestServer, 'url'>, routers: readonly GroupRouter[], holder?: string): Promise<string> {
  for (const router of routers) await router.connect(wsOf(server));
  let node = '';
  await until(async () => {
    const states: Shown[] = [];
    for (const router of routers) states.push(await shown(router));
    node = states[0]!.node ?? '';
    return states.every((state) => state.presence === 'online' && state.node === node && node !== '' && node !== holder);
  });
  return node;
}

async function compare(...servers: readonly TestServer[]): Promise<void> {
  for (const { presence } of servers) {
    await presence.comparison.run(new Date());
    await presence.flush();
  }
}

describe('two servers on one database', () => {
  test('NOD-01-partial routers of the other server stay online over many comparisons, and so do they over the start of a third', async () => {
    const routers = await fixture.routers(group, 6);
    const [first, second] = [routers.slice(0, 3), routers.slice(3)];
    const nodeOfA = await connectTo(a, first);
    const nodeOfB = await connectTo(b, second);
    expect(nodeOfA).not.toBe(nodeOfB);
    for (let round = 0; round < ROUNDS; round++) await compare(a, b);
    const third = await fixture.startAnother();
    await compare(third, a, b);
    for (const [node, own] of [
      [nodeOfA, first],
      [nodeOfB, second],
    ] as const)
      for (const router of own) {
        expect(await shown(router)).toEqual({ presence: 'online', node });
        expect(await historyOf(router)).toEqual(['online: connected']);
      }
  });

  test('NOD-02-partial a router that moves to the other server stays online with one more line, and its older socket is closed', async () => {
    const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
    const nodeOfA = await connectTo(a, [router]);
    const older = router.closed();
    const nodeOfB = await connectTo(b, [router], nodeOfA);
    // Server A learns of it with its next comparison, at the latest.
    await compare(a);
    await older;
    await compare(b, a);
    expect(await shown(router)).toEqual({ presence: 'online', node: nodeOfB });
    expect(await historyOf(router)).toEqual(['online: connected', 'online: connected']);
  });

  test('NOD-02-partial a server that stops leaves its routers to the others, without an outage in their history', async () => {
    const stopping = await fixture.startAnother();
    const [returning, absent] = (await fixture.routers(group, 2)) as [GroupRouter, GroupRouter];
    const former = await connectTo(stopping, [returning, absent]);
    await stopping.stop();
    await until(async () => (await shown(absent)).presence !== 'online');
    const node = await connectTo(b, [returning], former);
    expect(await shown(returning)).toEqual({ presence: 'online', node });
    expect(await historyOf(returning)).toEqual(['online: connected', 'online: connected']);
    await until(async () => (await shown(absent)).presence === 'offline');
    expect(await historyOf(absent)).toEqual(['online: connected', 'offline: not-seen-since-restart']);
  });

  test('NOD-01-partial a rollout to the routers of both servers ends for all of them, each in one step', async () => {
    const own = await fixture.group();
    const routers = await fixture.routers(own, 20);
    const nodeOfA = await connectTo(a, routers.slice(0, 10));
    await connectTo(b, routers.slice(10), nodeOfA);
    const rollout = await fixture.bind('config', own, await fixture.config('nodes.cfg', '# depot\n'.repeat(200)));
    const answered = new Set<string>();
    await until(async () => {
      for (const router of routers)
        for (const operation of router.operations)
          if (!answered.has(operation.key)) {
            answered.add(operation.key);
            await restore(router, operation);
          }
      return (await fixture.rollout(own, 'config')).states.successful === routers.length;
    });
    expect(routers.map(({ operations }) => operations.length)).toEqual(routers.map(() => 1));
    expect((await fixture.targets(rollout.id)).map(({ attempt }) => attempt)).toEqual(routers.map(() => 1));
  });
});

async function restore(router: GroupRouter, operation: Operation): Promise<void> {
  const answer = await fetchDownload(operation);
  expect(answer.status).toBe(200);
  expect((await answer.text()).length).toBe(Number(operation.args['FileSize']));
  router.set('Device.DeviceInfo.VendorConfigFile.1.Name', operation.args['TargetFileName']!);
  router.set('Device.DeviceInfo.VendorConfigFile.1.Version', operation.args['CheckSum']!.slice(0, 12));
  await router.complete(operation);
}

describe('a server process that is frozen, and then killed', () => {
  let folder: string;
  let other: ServerProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'highline-node-'));
    other = await startServerProcess(folder, OFFLINE_SECONDS, [], fixture.shared);
  });
  afterAll(async () => {
    await other.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test('NOD-02-partial a frozen process that returns overwrites no router that has moved, and gets the others back', async () => {
    const [moving, staying] = (await fixture.routers(group, 2)) as [GroupRouter, GroupRouter];
    const frozen = await connectTo(other, [moving, staying]);
    other.freeze();
    const older = moving.closed();
    const node = await connectTo(b, [moving], frozen);
    await until(async () => (await shown(staying)).presence === 'offline');
    other.resume();
    await older;
    await until(async () => (await shown(staying)).presence === 'online');
    await compare(a, b);
    expect(await shown(moving)).toEqual({ presence: 'online', node });
    expect(await historyOf(moving)).toEqual(['online: connected', 'online: connected']);
    expect((await historyOf(staying)).slice(0, 3)).toEqual([
      'online: connected',
      'offline: not-seen-since-restart',
      'online: connected',
    ]);
  });

  test('NOD-02-partial after kill -9 a router that reconnects elsewhere is online at once; one that does not is offline after lease and grace', async () => {
    const [returning, absent] = (await fixture.routers(group, 2)) as [GroupRouter, GroupRouter];
    const killed = await connectTo(other, [returning, absent]);
    await other.kill();
    const node = await connectTo(b, [returning], killed);
    expect((await shown(absent)).presence).toBe('online');
    await until(async () => (await shown(absent)).presence === 'offline');
    expect(await shown(returning)).toEqual({ presence: 'online', node });
    expect(await historyOf(returning)).toEqual(['online: connected', 'online: connected']);
    expect(await historyOf(absent)).toEqual(['online: connected', 'offline: not-seen-since-restart']);
  });
});
