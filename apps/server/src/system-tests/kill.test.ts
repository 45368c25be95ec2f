import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { remoteAccess, type recordings, type rollouts, type routerPasswords, type sentCommands } from '@highline/contract';
import { startFleet, type FleetHandle } from '@highline/router';
import { makeMac } from '@highline/usp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { completeAgent } from '../testing/agent-models.ts';
import { TestAgent } from '../testing/agent.ts';
import { startStrictAgent } from '../testing/agents.ts';
import { addDemoRouters, ask as askServer, send, signInToDemo } from '../testing/call.ts';
import { startServerProcess, until, type ServerProcess } from '../testing/process.ts';

// A real server process with its own PostgreSQL, routers in another process (this one), and continuous writes by users.

const ROUTERS = 12;
const identities = Array.from({ length: ROUTERS }, (_, index) => ({
  serial: `KILL${1000 + index}`,
  mac: makeMac(0xabc000 + index),
}));

let folder: string;
let server: ServerProcess;
let fleet: FleetHandle;
let admin: string;
let devices: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-kill-'));
  server = await startServerProcess(folder);
  const { vap: main } = await signInToDemo(server.url, 'main');
  admin = (await signInToDemo(server.url, 'admin')).vap;
  const added = await addDemoRouters(server.url, { main, admin }, identities);
  devices = added.devices;
  fleet = startFleet({
    server: server.url.replace('http', 'ws'),
    routers: identities.map((router) => ({ ...router, secret: added.secrets.get(router.serial)!, model: 'HL-R320' })),
    // A start takes longer than a second, as at each real router: so its uptime proves that a restart was carried out.
    timing: { bootMs: 1_500, silenceMs: 6_000, backoff: { minMs: 200, maxMs: 1_500, rejectedMs: 2_000, serverRestartMs: 1_000 } },
  });
  await until(everyRouterIsOnline);
});

afterAll(async () => {
  await fleet?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = <T>(method: string, path: string, bearer: string, body?: unknown): Promise<T> =>
  askServer(`${server.url}${path}`, { method, bearer, body, signal: AbortSignal.timeout(60_000) });

const listOurs = () =>
  ask<{ device: string; presence: string; note: string }[]>(
    'GET',
    '/data_manager/v1/dm/devices?search=KILL&field=serial&limit=50',
    admin,
  );

/** At the server and at the routers: after a kill they count as online before they have connected again. */
const everyRouterIsOnline = async () =>
  identities.every(({ serial }) => fleet.routers.get(serial)!.condition === 'connected') &&
  (await listOurs()).filter(({ presence }) => presence === 'online').length === ROUTERS;
const logCount = async () => (await ask<{ logs: number }>('GET', '/data_manager/v1/dm/statistics', admin)).logs;

/** Write notes continuously until stopped; records the last acknowledged one of each device. */
function writeAllTheWhile() {
  const acknowledged = new Map<string, number>();
  let count = 0;
  const enough = new AbortController();
  const one = async (device: string) => {
    for (let number = 1; !enough.signal.aborted; number += 1) {
      try {
        await ask('PATCH', '/data_manager/v1/dm/device', admin, { device, note: String(number) });
        acknowledged.set(device, number);
        count += 1;
      } catch {
        // Rejected or cut off: nothing was acknowledged. To ask at once again and again would slow down the restart.
        await pause(100);
      }
    }
  };
  const done = Promise.all(devices.slice(0, 4).map(one));
  return {
    acknowledged,
    count: () => count,
    async stop() {
      enough.abort();
      await done;
    },
  };
}

/** Cause a failure under load. @returns the acknowledged changes that are missing afterwards: none */
async function lostBy(disaster: () => Promise<void>): Promise<string[]> {
  const before = await logCount();
  const writer = writeAllTheWhile();
  await until(() => writer.count() > 40);
  await disaster();
  const afterwards = writer.count();
  await until(() => writer.count() > afterwards + 20);
  await writer.stop();
  const notes = new Map((await listOurs()).map(({ device, note }) => [device, Number(note)]));
  const lost = [...writer.acknowledged]
    .filter(([device, number]) => !((notes.get(device) ?? 0) >= number))
    .map(([device]) => device);
  // Each acknowledged change has its log entry, written in the same transaction.
  if ((await logCount()) - before < writer.count()) lost.push('an entry of the log');
  await until(everyRouterIsOnline);
  return lost;
}

test('kill -9 of the server under load loses no acknowledged write, and every router reconnects by itself', async () => {
  const lost = await lostBy(async () => {
    await server.kill();
    await server.start();
  });
  expect(lost).toEqual([]);
});

test('kill -9 of PostgreSQL under load loses no acknowledged write, and every router is online again', async () => {
  const lost = await lostBy(async () => {
    server.killDatabase();
    await until(async () => (await fetch(`${server.url}/healthz`)).ok);
  });
  expect(lost).toEqual([]);
});

test('DEV-08-partial a router that loses power, or falls silent, goes offline and reconnects by itself', async () => {
  const [first, second] = identities.map(({ serial }) => fleet.routers.get(serial)!);
  const presenceOf = async (index: number) => (await listOurs()).find(({ device }) => device === devices[index])!.presence;
  first!.powerCut(3_600_000);
  second!.lostCoverage(3_600_000);
  await until(async () => (await presenceOf(0)) === 'offline' && (await presenceOf(1)) === 'offline');
  first!.powerCut(0);
  second!.lostCoverage(0);
  await until(everyRouterIsOnline);
  expect(await presenceOf(1)).toBe('online');
});

test('SIGTERM stops the server gracefully', async () => {
  expect(await server.stop()).toBe(0);
  await server.start();
  await until(everyRouterIsOnline);
});

test('BLK-01-partial kill -9 in the middle of a deletion: each row is deleted once, with one log entry and one result', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `Kill ${n}`);
  const groups: string[] = [];
  for (const name of names)
    groups.push((await ask<{ group: string }>('POST', '/data_manager/v1/dm/group', admin, { name })).group);
  const before = await logCount();
  const body = { action: { kind: 'remove', list: 'groups' }, selection: { rows: groups } };
  // The process may end before it answers.
  const start = ask('POST', '/data_manager/v1/dm/jobs', admin, body).catch(() => {});
  type Job = { readonly id: string; readonly state: string; readonly done: number; readonly failed: number };
  const read = async () => (await ask<Job[]>('GET', '/data_manager/v1/dm/jobs?limit=1', admin))[0];
  await until(async () => ((await read())?.done ?? 0) > 10);
  await server.kill();
  await start;
  await server.start();
  expect((await read())!.done).toBeLessThan(names.length);
  await until(async () => (await read())!.state === 'done');
  expect(await read()).toMatchObject({ done: names.length, failed: 0 });
  // One entry for the start, and one for each group.
  expect((await logCount()) - before).toBe(names.length + 1);
  const left = await ask<{ groupName: string }[]>('GET', '/data_manager/v1/dm/group?search=Kill&limit=50', admin);
  expect(left).toEqual([]);
});

test('LIV-09-partial kill -9 while restarts that waited are delivered: each router restarts once, and each command ends once', async () => {
  const routers = identities.map(({ serial }) => fleet.routers.get(serial)!);
  const presences = async () => (await listOurs()).map(({ presence }) => presence);
  for (const router of routers) router.lostCoverage(3_600_000);
  await until(async () => (await presences()).every((presence) => presence === 'offline'));
  type Sent = { readonly id: string; readonly state: string; readonly kind: string };
  const before = await logCount();
  for (const device of devices)
    await ask('POST', '/data_manager/v1/dm/device/commands', admin, { device, kind: 'reboot', wait: 1 });
  const read = async () =>
    (await ask<Sent[]>('GET', '/data_manager/v1/dm/device/commands?limit=50', admin)).filter(({ kind }) => kind === 'reboot');
  expect((await read()).map(({ state }) => state)).toEqual(devices.map(() => 'waiting'));
  const starts = routers.map(({ bootCount }) => bootCount);
  for (const router of routers) router.lostCoverage(0);
  const restart = async () => {
    await server.kill();
    await server.start();
  };
  await until(async () => (await read()).some(({ state }) => state !== 'waiting'));
  await restart();
  await until(async () => (await read()).filter(({ state }) => state !== 'waiting').length > 3);
  await restart();
  await until(async () => (await read()).every(({ state }) => state === 'done'));
  await until(() => routers.every(({ bootCount }, index) => bootCount > starts[index]!));
  await until(everyRouterIsOnline);
  expect(routers.map(({ bootCount }, index) => bootCount - starts[index]!)).toEqual(routers.map(() => 1));
  // One entry when it was left waiting, and one when it ended.
  expect((await logCount()) - before).toBe(2 * routers.length);
});

test('TPL-06-partial kill -9 while backups are uploaded: each command ends once, and each vehicle has its configuration once', async () => {
  const routers = identities.map(({ serial }) => fleet.routers.get(serial)!);
  for (const router of routers) router.lostCoverage(3_600_000);
  await until(async () => (await listOurs()).every(({ presence }) => presence === 'offline'));
  const before = await logCount();
  for (const device of devices)
    await ask('POST', '/data_manager/v1/dm/device/commands', admin, { device, kind: 'backup-config', wait: 1 });
  const read = async () =>
    (await ask<sentCommands.SentCommand[]>('GET', '/data_manager/v1/dm/device/commands?limit=50', admin)).filter(
      ({ kind }) => kind === 'backup-config',
    );
  const restart = async () => {
    await server.kill();
    await server.start();
  };
  for (const router of routers) router.lostCoverage(0);
  await until(async () => (await read()).some(({ state }) => state !== 'waiting'));
  await restart();
  await until(async () => (await read()).some(({ state }) => state === 'done'));
  await restart();
  await until(async () => (await read()).every(({ ended }) => ended !== null));
  expect((await read()).filter(({ state }) => state !== 'done')).toEqual([]);
  for (const device of devices)
    expect(await ask<unknown[]>('GET', `/data_manager/v1/dm/devices/${device}/backups`, admin)).toHaveLength(1);
  // One entry when it was left waiting, and one when it ended.
  expect((await logCount()) - before).toBe(2 * routers.length);
  await until(everyRouterIsOnline);
});

test('TPL-03 kill -9 in the middle of a wave of settings: each router has them once, or has failed with its reason; none is left out', async () => {
  const dm = '/data_manager/v1/dm';
  const routers = Array.from({ length: 10 }, (_, n) => ({ serial: `SETS${1000 + n}`, mac: makeMac(0xabe000 + n) }));
  const { vap: main } = await signInToDemo(server.url, 'main');
  const { secrets } = await addDemoRouters(server.url, { main, admin }, routers);
  const body = { name: 'Settings over kills', devices: routers.map(({ serial }) => serial) };
  const { group } = await ask<{ group: string }>('POST', `${dm}/group`, admin, body);
  const ntp = 'Time.NTPServer1';
  const agents = routers.map(({ serial, mac }, at) =>
    startStrictAgent(
      server.url.replace('http', 'ws'),
      { serial, secret: secrets.get(serial)!, endpointId: `os::${mac.slice(0, 6)}-${serial}` },
      // One says that it was set, and keeps its former value.
      at === 0 ? { ignoredParameters: [`Device.${ntp}`] } : {},
    ),
  );
  const entry = 'NAT.PortMapping[name=camera].';
  const camera = { ExternalPort: '8443', Protocol: 'TCP', InternalClient: '192.168.1.50', InternalPort: '443', Enable: 'true' };
  const forwarded = Object.entries(camera).map(([parameter, value]) => ({ path: entry + parameter, value }));
  const values = [
    { path: 'WiFi.SSID[name=passengers].SSID', value: 'Over kills' },
    { path: ntp, value: 'kept.example' },
    ...forwarded,
  ];
  try {
    await ask('PUT', `${dm}/settings`, admin, { group, values });
    await until(() => agents.every(({ agent }) => agent.isConnected));
    await ask('POST', '/data_manager/v1/binding/settings', admin, { group, version: 1, failureThreshold: 100 });
    const present = async () =>
      (await ask<rollouts.Rollout[]>('GET', `/data_manager/v1/binding/group/rollouts?group=${group}`, admin))[0]!;
    const reached = () => agents.filter(({ agent }) => agent.value('Device.WiFi.SSID.1.SSID') === 'Over kills').length;
    for (const least of [1, 4]) {
      await until(() => reached() >= least);
      await server.kill();
      await server.start();
    }
    await until(async () => {
      const { states, total } = await present();
      return states.successful + states.failed === total;
    });
    const { id, total } = await present();
    expect(total).toBe(routers.length);
    const found = `/data_manager/v1/binding/group/targets?limit=50&rollout=${id}`;
    const targets = await ask<rollouts.RolloutTarget[]>('GET', found, admin);
    const results = targets.map(({ serial_number: serial, state, reason, detail }) => [serial, state, reason, detail]);
    expect(results.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual(
      routers.map(({ serial }, at) =>
        at === 0 ? [serial, 'failed', 'settings-differ', `${ntp}: not changed`] : [serial, 'successful', null, null],
      ),
    );
    // What was sent before a kill is found by reading, and is not sent again.
    const isSent = (value: unknown) => JSON.stringify(value).includes('Over kills');
    const sets = agents.map(
      ({ agent }) => agent.events.filter((each) => each.event === 'request' && each.name === 'set' && isSent(each.value)).length,
    );
    expect(sets.slice(1)).toEqual(routers.slice(1).map(() => 1));
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
  }
});

test('LIV-07-partial kill -9 while a terminal is recorded: what was stored is replayed and unbroken, and the recording says that it was interrupted', async () => {
  const dm = '/data_manager/v1/dm';
  await ask('PUT', `${dm}/recordings/settings`, admin, { recorded: true, days: 1 });
  const { serial } = identities[0]!;
  await until(everyRouterIsOnline);
  const opened = await send(`${server.url}${dm}/cmds/openTerminal`, { bearer: admin, body: { serial } });
  const { ticket } = opened.json<{ ticket: string }>();
  const address = `${server.url.replace('http', 'ws')}${remoteAccess.TERMINAL_PATH}`;
  const socket = new WebSocket(address, [remoteAccess.TERMINAL_PROTOCOL, ticket]);
  let shown = '';
  socket.on('error', () => {});
  socket.on('message', (data: Buffer) => {
    shown += data.toString();
    socket.send(JSON.stringify({ shown: data.length }));
  });
  await once(socket, 'open');
  const read = async () => (await ask<recordings.Recording[]>('GET', `${dm}/recordings?device=${devices[0]}`, admin))[0]!;
  const replayed = async (id: string): Promise<string> => {
    const { text } = await send(`${server.url}${dm}/recordings/${id}/file`, { bearer: admin });
    const events = text.trimEnd().split('\n').slice(1);
    return events
      .map((line) => JSON.parse(line) as [number, string, string])
      .reduce((all, [, kind, part]) => (kind === 'o' ? all + part : all), '');
  };
  const use = async () => {
    const before = shown.length;
    socket.send(Buffer.from('status\r'));
    await until(() => shown.length > before + 100);
  };
  await use();
  await until(async () => (await read()).bytes > 0);
  const first = (await read()).bytes;
  await use();
  await until(async () => (await read()).bytes > first);
  const { id } = await read();
  const stored = await replayed(id);
  await use();
  await server.kill();
  await server.start();
  await until(async () => (await read()).end !== null);
  expect((await read()).end).toBe('interrupted');
  const found = await replayed(id);
  expect(found.startsWith(stored)).toBe(true);
  expect(shown.startsWith(found)).toBe(true);
  expect(await ask('GET', `${dm}/recordings/${id}/seal`, admin)).toMatchObject({ seal: 'unbroken' });
  await until(everyRouterIsOnline);
});

test('LIV-11-partial kill -9 in the middle of a rotation of passwords: each router has one that its server shows, and in the end the same', async () => {
  const dm = '/data_manager/v1/dm';
  const routers = Array.from({ length: 8 }, (_, n) => ({ serial: `PASS${1000 + n}`, mac: makeMac(0xabd000 + n) }));
  const { vap: main } = await signInToDemo(server.url, 'main');
  const added = await addDemoRouters(server.url, { main, admin }, routers);
  const agents = routers.map(({ serial, mac }) =>
    startStrictAgent(
      server.url.replace('http', 'ws'),
      { serial, secret: added.secrets.get(serial)!, endpointId: `os::${mac.slice(0, 6)}-${serial}` },
      { hasUsers: true },
    ),
  );
  const key = await send(`${server.url}${dm}/api_keys`, {
    bearer: admin,
    body: { name: 'Reads passwords', operations: ['routerPasswords.show'] },
  });
  const { secret } = key.json<{ secret: string }>();
  const shownOf = async (device: string) => {
    const url = `${server.url}${dm}/device/password/show`;
    return (await send(url, { bearer: secret, body: { device } })).json<{
      result: { password: string; state: routerPasswords.PasswordState }[];
    }>().result;
  };
  const passwords = () => agents.map(({ agent }) => agent.value('Device.Users.User.1.Password')!);
  const rotate = () =>
    ask('POST', `${dm}/jobs`, admin, {
      action: { kind: 'send', send: 'set-password', argument: 'admin', wait: 1 },
      selection: { devices: added.devices },
    });
  const restart = async () => {
    await server.kill();
    await server.start();
  };
  const areSet = async (before: readonly string[]) => {
    const now = passwords();
    if (now.some((password, index) => password === before[index])) return false;
    const shown = await Promise.all(added.devices.map(shownOf));
    return shown.every((list, index) => list.length === 1 && list[0]!.state === 'set' && list[0]!.password === now[index]);
  };
  const first = passwords();
  await rotate();
  await until(() => areSet(first));

  const second = passwords();
  await rotate();
  for (const least of [1, 4]) {
    await until(() => passwords().filter((password, index) => password !== second[index]).length >= least);
    await restart();
    const all = await Promise.all(added.devices.map(shownOf));
    const inUse = passwords();
    // An agent takes another one at most once, and not between the two.
    expect(all.map((list, index) => list.some(({ password }) => password === inUse[index]))).toEqual(routers.map(() => true));
  }
  await until(() => areSet(second));
  expect(new Set(passwords()).size).toBe(routers.length);
  for (const agent of agents) await agent.stop();
});

test('USE-01-partial POS-06-partial reports that were stored, and not acknowledged when the server was killed, count once in all that people read', async () => {
  const dm = '/data_manager/v1/dm';
  const vehicle = { serial: 'ONCE1000', mac: makeMac(0xabf000) };
  const { vap: main } = await signInToDemo(server.url, 'main');
  const { secrets, devices: added } = await addDemoRouters(server.url, { main, admin }, [vehicle]);
  const [device] = added as [string];
  const aheadSeconds = 90;
  const localTime = (now: number) => `${new Date(now + aheadSeconds * 1_000).toISOString().slice(0, 19)}Z`;
  const connect = async () => {
    const agent = new TestAgent({
      ...completeAgent,
      model: new Map([...completeAgent.model, ['Device.Time.CurrentLocalTime', localTime(Date.now())]]),
      server: server.url.replace('http', 'ws'),
      secret: secrets.get(vehicle.serial)!,
      endpointId: `os::${vehicle.mac.slice(0, 6)}-${vehicle.serial}`,
    });
    await agent.opened();
    // Its clock was read before.
    await until(() => agent.count('add') > 0);
    return agent;
  };
  const first = await connect();
  const now = Date.now();
  const timeOf = (ms: number) => new Date(now + ms + aheadSeconds * 1_000).toISOString();
  const modem = 'Device.Cellular.Interface.1.';
  const kept = [1, 2, 3].map((n) => ({
    CollectionTime: timeOf(10 * n - 60),
    [`${modem}RSRP`]: -70 - 10 * n,
    [`${modem}Stats.BytesSent`]: 1_000_000 + 10_000 * n,
    [`${modem}Stats.BytesReceived`]: 9_000_000 + 90_000 * n,
    'Device.DeviceInfo.UpTime': 3_600,
    'Device.X_HIGHLINE_GPS.Trail': `${Math.ceil(now / 1_000) + n},41.${n},-88.0,5,31.5,270`,
  }));
  const lone = { CollectionTime: timeOf(-10), [`${modem}RSRP`]: -120 };
  const from = `on=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}&device=${device}`;
  const read = async () => ({
    rsrp: await ask<{ field_value: number }[]>('GET', `/data_manager/api/v1/records?limit=50&property=rsrp&${from}`, admin),
    average: await ask<unknown>('GET', `/data_manager/api/v1/statistics/average?property=rsrp&window=1d&${from}`, admin),
    csv: (await send(`${server.url}/data_manager/api/v1/records/export?format=csv&property=rsrp&${from}`, { bearer: admin }))
      .text,
    used: await ask<{ sent: number; received: number }>('GET', `${dm}/usage/month?device=${device}`, admin),
    trail: (await ask<{ fixes: unknown[] }>('GET', `${dm}/device/trail?device=${device}`, admin)).fixes,
  });
  first.push('kept', kept);
  first.push('lone', [lone]);
  await Promise.all([first.whenResponded('kept'), first.whenResponded('lone')]);
  const before = await read();
  expect(before.rsrp).toHaveLength(4);
  expect(before.used).toMatchObject({ sent: 20_000, received: 180_000 });
  expect(before.trail).toHaveLength(3);
  // The answers were lost on their way.
  await server.kill();
  await server.start();
  const again = await connect();
  again.push('kept', kept);
  again.push('lone', [lone]);
  await Promise.all([again.whenResponded('kept'), again.whenResponded('lone')]);
  expect(await read()).toEqual(before);
  again.cut();
});
