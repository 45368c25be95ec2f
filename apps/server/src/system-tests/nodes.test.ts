import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeEid, makeIccid } from '@highline/usp';
import { startAgent, type RouterHandle } from '@highline/router';
import { send } from '../testing/call.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { startNatsServer, type NatsServer } from '../testing/nats-server.ts';
import { startServerProcess, until, type ServerProcess } from '../testing/process.ts';
import { runBySsh, signInBySsh } from '../testing/remote-fixture.ts';
import { startS3Server, type S3Server } from '../testing/s3-server.ts';
import { openRolloutFixture, type GroupMember, type GroupRouter, type RolloutFixture } from '../testing/rollouts.ts';
import type { TestServer } from '../testing/server.ts';
import { fetchDownload, type Operation } from '../testing/updating-router.ts';
import { readMetrics } from '../testing/metrics.ts';

// Several servers on one database, one NATS and one bucket, with real sockets. Two of them run in this process; the one that is frozen
// and killed is another.

/** Time after which a router without a node is offline. */
const OFFLINE_SECONDS = 4;
const ROUNDS = 5;

/** A comparison of sockets with the table comes every 30 s: what is faster came by a message. */
const BY_MESSAGE_MS = 5_000;

/** What docs/operations.md recommends. */
const SIGN_IN = `authorization { users = [ { user: fleet, password: secret,
  permissions: { publish: "highline.>", subscribe: "highline.>" } } ] }`;

let nats: NatsServer;
let s3: S3Server;
let fixture: RolloutFixture;
let group: string;
/** An admin of the organization. */
let account: string;
let bearer: string;
let a: TestServer;
let b: TestServer;

beforeAll(async () => {
  [nats, s3] = await Promise.all([startNatsServer(SIGN_IN), startS3Server()]);
  fixture = await openRolloutFixture({
    offlineSeconds: OFFLINE_SECONDS,
    lease: { renewMs: 200 },
    metrics: true,
    bucketUrl: await s3.bucketUrl('fleet'),
    environment: { NATS_URL: nats.url('fleet:secret@') },
  });
  group = await fixture.group();
  a = fixture.server;
  b = await fixture.startAnother();
  account = await a.seeding.account(fixture.scope, 'nodes@highline.invalid', 'admin');
  bearer = await a.seeding.bearer(account);
});
afterAll(async () => {
  await fixture.close();
  await Promise.all([nats.close(), s3.close()]);
});

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

/** Let a lease that is no longer renewed end now, instead of after its 15 s. */
const lapse = (node: string) =>
  a.owner.query("update nodes set lease_until = now() - interval '1 second' where name = $1", [node]);

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
    const began = performance.now();
    await older;
    expect(performance.now() - began).toBeLessThan(BY_MESSAGE_MS);
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
    const responded = new Set<string>();
    await until(async () => {
      for (const router of routers)
        for (const operation of router.operations)
          if (!responded.has(operation.key)) {
            responded.add(operation.key);
            await restore(router, operation);
          }
      return (await fixture.rollout(own, 'config')).states.successful === routers.length;
    });
    expect(routers.map(({ operations }) => operations.length)).toEqual(routers.map(() => 1));
    expect((await fixture.targets(rollout.id)).map(({ attempt }) => attempt)).toEqual(routers.map(() => 1));
  });
});

/** Upload an image at A, as the main account does. */
async function upload(image: Buffer<ArrayBuffer>, version: string): Promise<string> {
  const main = { kind: 'main', mainAccountId: fixture.scope.mainAccountId } as const;
  const uploader = await a.seeding.bearer(await a.seeding.account(main, 'uploads@highline.invalid', 'main'));
  const form = new FormData();
  form.append('version', version);
  form.append('profile', 'HL-R320');
  form.append('file', new Blob([image]), 'image.img');
  const response = await send(`${a.url}/data_manager/v1/dm/firmware`, { bearer: uploader, body: form });
  return response.json<{ result: { pk: string } }>().result.pk;
}

async function restore(router: GroupRouter, operation: Operation): Promise<void> {
  const response = await fetchDownload(operation);
  expect(response.status).toBe(200);
  expect((await response.text()).length).toBe(Number(operation.args['FileSize']));
  router.set('Device.DeviceInfo.VendorConfigFile.1.Name', operation.args['TargetFileName']!);
  router.set('Device.DeviceInfo.VendorConfigFile.1.Version', operation.args['CheckSum']!.slice(0, 12));
  await router.complete(operation);
}

describe('calls to the server that holds a router', () => {
  const COMMANDS = '/data_manager/v1/dm/commands';
  const call = async (server: TestServer, path: string, body: object) =>
    send(`${server.url}/data_manager/v1/dm${path}`, { bearer, body: { org: fixture.scope.organizationId, ...body } });
  let agent: RouterHandle;
  let serial: string;
  let device: string;
  let command: string;

  beforeAll(async () => {
    const [member] = (await fixture.members(group, 1)) as [GroupMember];
    ({ serial, device } = member);
    agent = startAgent({ server: wsOf(a), router: { serial, mac: member.mac, secret: member.secret, model: 'HL-R320' } });
    await until(async () => (await shown({ serial })).presence === 'online');
    const body = { org: fixture.scope.organizationId, name: 'Find it', kind: 'identify', argument: '30' };
    command = (await send(`${a.url}${COMMANDS}`, { bearer, body })).json<{ result: { id: string } }>().result.id;
  });
  afterAll(() => agent.stop());

  const run = (server: TestServer) => call(server, `/commands/${command}/run`, { device });
  /** Delete its device, which disconnects it. */
  const remove = async (server: TestServer, router: GroupRouter) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ org: fixture.scope.organizationId, devices: [router.device] });
    return (await fetch(`${server.url}/data_manager/v1/dm/devices/`, { method: 'DELETE', headers, body })).status;
  };
  const health = async (server: TestServer) => (await fetch(`${server.url}/healthz`)).json();
  const metric = async (server: TestServer, name: string) =>
    new RegExp(`^highline_${name} (.+)$`, 'mu').exec(await readMetrics(server.metricsPort))?.[1];

  test('NOD-01-partial a router at A is reached through B: a command, and a shell whose session B opened', async () => {
    expect((await run(b)).json()).toEqual({ result: { outcome: 'done', message: '', code: null } });
    const opened = (await call(b, '/cmds/connectDevice', { serial, type: 'ssh' })).json<{ url: string; port: number }>();
    const issued = (await call(b, '/cmds/getOneTimeSecret', { serial, type: 'ssh' })).json<{
      content: { username: string; password: string };
    }>();
    const client = await signInBySsh({ ...opened, ...issued.content });
    expect(await runBySsh(client, 'uptime')).not.toBe('');
    client.end();
  });

  test('LIV-07-partial NOD-01-partial a terminal in the browser at B is a shell of a router at A, recorded', async () => {
    await call(b, '/device/arctive', { device });
    const org = fixture.scope.organizationId;
    await send(`${b.url}/data_manager/v1/dm/recordings/settings`, {
      method: 'PUT',
      bearer,
      body: { org, recorded: true, days: 1 },
    });
    const { ticket } = (await call(b, '/cmds/openTerminal', { serial })).json<{ ticket: string }>();
    const socket = new WebSocket(`${wsOf(b)}/terminal`, ['highline.terminal', ticket]);
    let typed = '';
    socket.on('message', (data: Buffer) => void (typed += data.toString()));
    await once(socket, 'open');
    socket.send(Buffer.from('status\r'));
    await until(() => typed.includes('Supply voltage'));
    socket.send(Buffer.from('exit\r'));
    const [, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect(reason.toString()).toBe('exited');
    const list = await send(`${a.url}/data_manager/v1/dm/recordings?org=${org}&device=${device}`, { bearer });
    expect(list.json()).toMatchObject({ result: [{ serial, end: 'exited' }] });
  });

  test('NOD-01-partial a browser at B sees a router of A live, within a second', async () => {
    const stream = await openEventStream(b.url, bearer, { org: fixture.scope.organizationId });
    const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
    await router.connect(wsOf(a));
    await until(async () => (await shown(router)).presence === 'online');
    const began = performance.now();
    await until(() => stream.received.some(({ data }) => data.topic === 'devices' && data.ids.includes(router.device)));
    expect(performance.now() - began).toBeLessThan(1_000);
    stream.close();
  });

  test('IAM-02 who is deactivated at A has no session, key or stream at B', async () => {
    const org = fixture.scope.organizationId;
    const person = await a.seeding.account(fixture.scope, 'leaver@highline.invalid', 'admin');
    const own = await a.seeding.bearer(person);
    const key = await send(`${b.url}/data_manager/v1/dm/api_keys`, {
      bearer: own,
      body: { org, name: 'Key', operations: ['devices.list'] },
    });
    const { secret } = key.json<{ secret: string }>();
    const made = await send(`${b.url}/data_manager/v1/dm/scim/secrets`, { bearer, body: { org, name: 'Directory', days: 1 } });
    const stream = await openEventStream(b.url, own, { org });
    const list = (as: string) => send(`${b.url}/data_manager/v1/dm/devices?limit=1`, { bearer: as });
    expect([(await list(own)).status, (await list(secret)).status]).toEqual([200, 200]);
    const response = await send(`${a.url}/scim/v2/Users/${person}`, {
      method: 'PATCH',
      bearer: made.json<{ secret: string }>().secret,
      body: { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    });
    expect(response.status, response.text).toBe(200);
    await stream.ended;
    expect([(await list(own)).status, (await list(secret)).status]).toEqual([401, 401]);
  });

  test('NOD-01-partial a connection that is no longer admitted is closed at A by a call at B', async () => {
    const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
    await connectTo(a, [router]);
    const closed = router.closed();
    const began = performance.now();
    expect(await remove(b, router)).toBe(200);
    await closed;
    expect(performance.now() - began).toBeLessThan(BY_MESSAGE_MS);
  });

  test('NOD-02-partial without NATS a call to another server is answered with "try again", live updates go on, and after its restart all works', async () => {
    await nats.kill();
    await until(async () => (await metric(a, 'bus_connected')) === '0' && (await metric(b, 'bus_connected')) === '0');
    expect(await health(b)).toMatchObject({ result: 'ready', degraded: 'bus' });
    const rejection = await run(b);
    expect([rejection.status, rejection.error().key]).toEqual([503, 'server.busy']);
    expect((await run(a)).status).toBe(200);
    const stream = await openEventStream(b.url, bearer, { org: fixture.scope.organizationId });
    const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
    const nodeOfA = await connectTo(a, [router]);
    await until(() => stream.received.some(({ data }) => data.topic === 'devices' && data.ids.includes(router.device)));
    stream.close();
    // Its older socket is found by the comparison.
    const older = router.closed();
    await connectTo(b, [router], nodeOfA);
    await compare(a);
    await older;
    // And so is that of a router whose device was deleted elsewhere.
    const [deleted] = (await fixture.routers(group, 1)) as [GroupRouter];
    await connectTo(a, [deleted]);
    let isClosed = false;
    const closed = deleted.closed().then(() => (isClosed = true));
    expect(await remove(b, deleted)).toBe(200);
    await until(async () => {
      await compare(a);
      return isClosed;
    });
    await closed;
    await nats.start();
    await until(async () => (await metric(a, 'bus_connected')) === '1' && (await metric(b, 'bus_connected')) === '1');
    await until(async () => (await run(b)).status === 200);
    expect(await health(b)).not.toHaveProperty('degraded');
    expect(Number(await metric(b, 'nodes'))).toBeGreaterThanOrEqual(2);
  });
});

describe('profiles and clones over two servers', () => {
  test('NOD-01-partial steps of eSIM profiles are taken by the server that holds the router, wherever they were requested', async () => {
    const SIM = 'Device.TrustedElements.SIM.1.';
    const values = (eid: string) => ({ [`${SIM}EID`]: eid, [`${SIM}ICCID`]: makeIccid(1) });
    const routers: { router: GroupRouter; eid: string; server: TestServer }[] = [];
    for (const [index, server] of [a, b].entries()) {
      const eid = makeEid(300 + index);
      const [router] = (await fixture.routers(group, 1, { commands: ['esim'], values: values(eid) })) as [GroupRouter];
      await connectTo(server, [router]);
      routers.push({ router, eid, server });
    }
    const began = performance.now();
    for (const [index, { router, eid }] of routers.entries()) {
      const body = { serial: router.serial, eid, ac: `1$smdp.example.com$NODES-${index}`, apn: 'fleet' };
      await fixture.call('POST', '/data_manager/v1/dm/profile/', body);
    }
    await until(() => routers.every(({ router }) => router.operations.length === 1));
    expect(performance.now() - began).toBeLessThan(BY_MESSAGE_MS);
    expect(routers.map(({ router }) => router.operations[0]!.command)).toEqual(
      routers.map(() => `${SIM}X_HIGHLINE_DownloadProfile()`),
    );
  });

  test('NOD-01-partial two routers with one identity at two servers are reported as clones, and do not fill the history', async () => {
    const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
    const servers = [a, b] as const;
    let node: string | undefined;
    for (let turn = 0; turn < 12; turn++) {
      const older = turn === 0 ? undefined : router.closed();
      node = await connectTo(servers[turn % 2]!, [router], node);
      await older;
    }
    await until(async () => (await historyOf(router)).some((line) => line.startsWith('cloned')));
    const lines = await historyOf(router);
    expect(lines.filter((line) => line.startsWith('cloned')).length).toBeLessThanOrEqual(2);
    expect(lines.length).toBeLessThan(12 + 2);
  });
});

/** Who holds a router knows its last contact, which the others read minutes later; uptimes run on between two answers. */
const withoutContacts = (text: string) =>
  JSON.stringify(
    JSON.parse(text, (key, value: { readonly id?: string } | null) =>
      key === 'last_seen' || key === 'cellular_rssi' || value?.id === 'uptime' || value?.id === 'rssi' ? undefined : value,
    ),
  );

describe('another server process, which is frozen and then killed', () => {
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

  test('NOD-01 any process answers any call: a router at A is reached through another, which shows it live and serves a firmware uploaded at A', async () => {
    const own = await fixture.group();
    const at = (server: Pick<TestServer, 'url'>, path: string, body?: object) =>
      send(`${server.url}/data_manager/v1${path}`, { bearer, ...(body && { body }) });
    // What each wrote, all answer.
    for (const [index, server] of [a, b, other].entries())
      expect((await at(server, '/dm/group', { name: `Written at ${index}` })).status).toBe(200);
    for (const path of [
      '/dm/group',
      '/dm/devices',
      '/dm/config',
      '/notify/user',
      `/dm/group/${encodeURIComponent(own)}/devices`,
    ]) {
      // Routers of other tests may still be changing between two of the three answers.
      await until(async () => {
        const responses = await Promise.all([a, b, other].map((server) => at(server, path)));
        expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
        return new Set(responses.map(({ text }) => withoutContacts(text))).size === 1;
      });
    }
    expect((await at(other, '/dm/group')).text).toMatch(/Written at 0.*Written at 1.*Written at 2/su);

    const stream = await openEventStream(other.url, bearer, { org: fixture.scope.organizationId });
    const [member] = (await fixture.members(own, 1)) as [GroupMember];
    const { serial, mac, secret } = member;
    const agent = startAgent({ server: wsOf(a), router: { serial, mac, secret, model: 'HL-R320' } });
    await until(() => stream.received.some(({ data }) => data.topic === 'devices' && data.ids.includes(member.device)));
    await until(async () => (await shown(member)).presence === 'online');
    stream.close();
    const command = (await at(b, '/dm/commands', { name: 'Find it here', kind: 'identify', argument: '30' })).json<{
      result: { id: string };
    }>().result.id;
    const ran = await at(other, `/dm/commands/${command}/run`, { device: member.device });
    expect(ran.json()).toEqual({ result: { outcome: 'done', message: '', code: null } });
    await agent.stop();

    const image = a.seeding.image({ model: 'HL-R320', version: '2.9.0', payload: randomBytes(300_000) });
    const [router] = (await fixture.routers(own, 1)) as [GroupRouter];
    await connectTo(other, [router]);
    await fixture.bind('firmware', own, await upload(image, '2.9.0'));
    await fixture.awaitRequests(router, 1);
    const [operation] = router.operations as [Operation];
    const { pathname, search } = new URL(operation.args['URL']!);
    const served = await fetchDownload({ ...operation, args: { ...operation.args, URL: `${other.url}${pathname}${search}` } });
    expect(Buffer.from(await served.arrayBuffer()).equals(image)).toBe(true);
  });

  test('NOD-02-partial a frozen process that returns overwrites no router that has moved, and gets the others back', async () => {
    const [moving, staying] = (await fixture.routers(group, 2)) as [GroupRouter, GroupRouter];
    const frozen = await connectTo(other, [moving, staying]);
    other.freeze();
    await lapse(frozen);
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
    await lapse(killed);
    await until(async () => (await shown(absent)).presence === 'offline');
    expect(await shown(returning)).toEqual({ presence: 'online', node });
    expect(await historyOf(returning)).toEqual(['online: connected', 'online: connected']);
    expect(await historyOf(absent)).toEqual(['online: connected', 'offline: not-seen-since-restart']);
  });
});
