import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { rollouts } from '@highline/contract';
import { makeMac, routerEndpointId } from '@highline/usp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDemoRouters, ask as askServer, formOf, signInToDemo } from '../testing/call.ts';
import { startServerProcess, until, type ServerProcess } from '../testing/process.ts';
import { fetchDownload, UpdatingRouter, type Operation } from '../testing/updating-router.ts';

// A real server process that is killed repeatedly while routers in this process execute a config rollout.

const ROUTERS = 20;
const KILLS = 4;
const identities = Array.from({ length: ROUTERS }, (_, index) => ({
  serial: `ROLL${1000 + index}`,
  mac: makeMac(0xdef000 + index),
}));
const serials = identities.map(({ serial }) => serial);
const SLOT = 'Device.DeviceInfo.VendorConfigFile.1.';

let folder: string;
let server: ServerProcess;
let admin: string;
let group: string;
let routers: UpdatingRouter[];
const stop = new AbortController();
const driving: Promise<void>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-rollout-kill-'));
  server = await startServerProcess(folder);
  const { vap: main } = await signInToDemo(server.url, 'main');
  admin = (await signInToDemo(server.url, 'admin')).vap;
  const { secrets } = await addDemoRouters(server.url, { main, admin }, identities);
  group = (await ask<{ group: string }>('POST', '/data_manager/v1/dm/group', admin, { name: 'Killed', devices: serials })).group;
  routers = identities.map(
    ({ serial, mac }) =>
      new UpdatingRouter({
        server: server.url.replace('http', 'ws'),
        secret: secrets.get(serial)!,
        endpointId: routerEndpointId(mac.slice(0, 6), serial),
      }),
  );
  for (const router of routers) driving.push(drive(router));
});

afterAll(async () => {
  stop.abort();
  for (const router of routers) router.cut();
  await Promise.all(driving);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = <T>(method: string, path: string, bearer: string, body?: unknown): Promise<T> =>
  askServer(`${server.url}${path}`, { method, bearer, body, signal: AbortSignal.timeout(60_000) });

/** Time to download the whole file. */
const ALL_THE_WHILE_MS = 600_000;

/** Stay connected, restore the requested file, and report the end until it is acknowledged. */
async function drive(router: UpdatingRouter): Promise<void> {
  const responded = new Set<string>();
  await until(async () => {
    if (stop.signal.aborted) return true;
    await router.connect();
    let isOpen = true;
    const closed = (async () => {
      await router.closed();
      isOpen = false;
    })();
    await Promise.race([closed, until(async () => !isOpen || work(router, responded), ALL_THE_WHILE_MS)]);
    return false;
  }, ALL_THE_WHILE_MS);
}

/** @returns false: there may be more */
async function work(router: UpdatingRouter, responded: Set<string>): Promise<boolean> {
  const operation = router.operations.find(({ key }) => !responded.has(key));
  if (operation === undefined) return false;
  if (router.values.get(`${SLOT}Version`) === undefined) await restore(router, operation);
  await router.complete(operation);
  responded.add(operation.key);
  return false;
}

async function restore(router: UpdatingRouter, operation: Operation): Promise<void> {
  const response = await fetchDownload(operation);
  const contents = await response.text();
  if (response.status !== 200 || contents.length !== Number(operation.args['FileSize'])) return;
  router.set(`${SLOT}Name`, operation.args['TargetFileName']!);
  router.set(`${SLOT}Version`, operation.args['CheckSum']!.slice(0, 12));
}

const rollout = async () =>
  (await ask<rollouts.Rollout[]>('GET', `/data_manager/v1/binding/group/rollouts?group=${group}`, admin))[0]!;

test('GRP-10-partial kill -9 of the server during a rollout: every router ends with the file, each in exactly one step', async () => {
  const { pk } = await ask<{ pk: string }>(
    'POST',
    '/data_manager/v1/dm/config',
    admin,
    formOf({}, { name: 'killed.cfg', contents: '# depot\n'.repeat(500) }),
  );
  await ask('POST', '/data_manager/v1/binding/group/config', admin, { group, config: pk, schedule: 'immediate' });
  for (let kill = 0; kill < KILLS; kill++) {
    const before = (await rollout()).states.successful;
    await until(async () => (await rollout()).states.successful > before || kill === 0);
    await server.kill();
    await server.start();
    if ((await rollout()).states.successful === ROUTERS) break;
  }
  await until(async () => (await rollout()).states.successful === ROUTERS);
  for (const router of routers) expect(new Set(router.operations.map(({ key }) => key)).size).toBe(1);
  const targets = await ask<rollouts.RolloutTarget[]>(
    'GET',
    `/data_manager/v1/binding/group/targets?limit=50&rollout=${(await rollout()).id}`,
    admin,
  );
  expect(new Set(targets.map(({ attempt, state }) => `${attempt} ${state}`))).toEqual(new Set(['1 successful']));
});
