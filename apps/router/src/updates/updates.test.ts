import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '@highline/image';
import type { UspNotification } from '@highline/usp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeMac } from '../identity.ts';
import type { RouterHandle, RouterTiming } from '../router.ts';
import { startAgent } from '../start.ts';
import { modemNumbers } from '../description.ts';
import { createSimulatedPlatform } from '../platform/simulated.ts';
import { TestController } from '../testing/controller.ts';
import { startFileServer, type FileServer } from '../testing/file-server.ts';
import { imageOf, keys, sha256 } from '../testing/images.ts';

const FAST: Partial<RouterTiming> = {
  backoff: { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 },
  valueChangePollMs: 10,
  graceMs: 5,
  bootMs: 10,
};
const ROUTER = { serial: 'HL-0001', mac: makeMac(1), secret: 's', model: 'HL-500', firmware: '2.1.0', config: 'city.json' };
const SECOND_SLOT = 'Device.DeviceInfo.FirmwareImage.2.';
const CONFIG = 'Device.DeviceInfo.VendorConfigFile.1.';

let controller: TestController;
let files: FileServer;
let folder: string;
let started: RouterHandle[];

beforeEach(async () => {
  controller = await TestController.start();
  files = await startFileServer(imageOf());
  folder = mkdtempSync(join(tmpdir(), 'router-update-'));
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((router) => router.stop()));
  await controller.stop();
  await files.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Options = { trustedKeys?: readonly string[]; inMemory?: boolean; callHomeMs?: number; graceMs?: number; retryMs?: number };

async function start({
  trustedKeys = [keys.publicKey],
  inMemory = false,
  callHomeMs = 60_000,
  graceMs = 5,
  retryMs = 2,
}: Options = {}) {
  const router = startAgent({
    server: controller.url,
    router: ROUTER,
    timing: { ...FAST, callHomeMs, graceMs, retryMs },
    trustedKeys,
    ...(inMemory ? {} : { stateDir: folder }),
  });
  started.push(router);
  await controller.until(() => controller.connects.includes(router.endpointId));
  await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
  await controller.subscribe(router.endpointId, 'boots', 'Event', 'Device.Boot!');
  await controller.subscribe(router.endpointId, 'transfers', 'Event', 'Device.LocalAgent.TransferComplete!');
  return router;
}

/** Another process of the same router: its subscriptions are stored. */
function restart(): RouterHandle {
  const timing = { ...FAST, callHomeMs: 60_000, retryMs: 2 };
  const router = startAgent({ server: controller.url, router: ROUTER, timing, trustedKeys: [keys.publicKey], stateDir: folder });
  started.push(router);
  return router;
}

const get = async (router: RouterHandle, path: string) => {
  const { reqPathResults } = await controller.request(router.endpointId, { type: 'get', paramPaths: [path], maxDepth: 0 });
  return reqPathResults[0]?.resolvedPathResults[0]?.resultParams.values().next().value;
};

async function operate(router: RouterHandle, command: string, commandKey: string, args: Record<string, string>) {
  const inputArgs = new Map(Object.entries(args));
  const response = await controller.request(router.endpointId, {
    type: 'operate',
    command,
    commandKey,
    sendResp: true,
    inputArgs,
  });
  return response.operationResults[0]!.result;
}

const transfer = (file = files.file) => ({
  URL: files.url,
  Username: 'os::me',
  Password: 'pass',
  FileSize: String(file.length),
  CheckSumAlgorithm: 'SHA-256',
  CheckSum: sha256(file),
});
const download = (router: RouterHandle, key = 'k1', more: Record<string, string> = {}) =>
  operate(router, `${SECOND_SLOT}Download()`, key, { ...transfer(), AutoActivate: 'true', ...more });

const slotFile = () => join(folder, 'HL-0001.slot-2');

/** Resolves when the router has 70,000 bytes of the file; it gets no more of this response. */
async function downloadPart(router: RouterHandle, more: Record<string, string> = {}): Promise<void> {
  await controller.subscribe(router.endpointId, 'progress', 'ValueChange', `${SECOND_SLOT}X_HIGHLINE_Progress`);
  files.holdAfter = 70_000;
  await download(router, 'k1', more);
  await controller.until(() => controller.of('progress').some(({ notification }) => reported(notification) === '30'));
  await expect.poll(() => statSync(slotFile()).size).toBe(70_000);
  files.holdAfter = undefined;
}

/** How the command of a key ended: '' = success. */
async function endOf(key: string): Promise<string> {
  const find = () =>
    controller.of('ends').find(({ notification: n }) => n.type === 'oper_complete' && n.commandKey === key)?.notification;
  await controller.until(() => find() !== undefined);
  const end = find();
  if (end?.type !== 'oper_complete') throw new Error('no end');
  return end.result.type === 'cmd_failure' ? end.result.errMsg : '';
}

const connected = (router: RouterHandle, times: number) =>
  controller.until(() => controller.connects.filter((eid) => eid === router.endpointId).length >= times);

const reported = (notification: UspNotification) => (notification.type === 'value_change' ? notification.paramValue : undefined);

/** Type of the answer to setting BootFirmwareImage. */
async function chooseBoot(router: RouterHandle, slot: number): Promise<string> {
  const value = `Device.DeviceInfo.FirmwareImage.${slot}`;
  const paramSettings = [{ param: 'BootFirmwareImage', value, required: true }];
  const updateObjs = [{ objPath: 'Device.DeviceInfo.', paramSettings }];
  return (await controller.requestAny(router.endpointId, { type: 'set', allowPartial: false, updateObjs })).type;
}

/** Resolves when it has started again. */
async function cutPower(router: RouterHandle): Promise<void> {
  const booted = new Promise<void>((resolve) => {
    const unsubscribe = router.on('booted', () => {
      unsubscribe();
      resolve();
    });
  });
  router.powerCut(0);
  await booted;
}

/** Any request of the cloud counts as calling home. */
const readVersion = (router: RouterHandle) => get(router, 'Device.DeviceInfo.SoftwareVersion');

describe.each([{ inMemory: false }, { inMemory: true }])('firmware, in memory: $inMemory', ({ inMemory }) => {
  it('is downloaded into the other slot, verified, started, and kept once it has called home', async () => {
    const router = await start({ inMemory });
    expect(await download(router)).toMatchObject({ type: 'req_obj_path' });
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(await endOf('k1')).toBe('');
    expect(await get(router, 'Device.DeviceInfo.ActiveFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.2');
    expect(await get(router, 'Device.DeviceInfo.FirmwareImage.1.Version')).toBe('2.1.0');
    expect(files.fetched[0]!.authorization).toBe(`Basic ${Buffer.from('os::me:pass').toString('base64')}`);
    const boot = controller.of('boots').at(-1)!.notification;
    expect(boot.type === 'event' && Object.fromEntries(boot.params)).toMatchObject({ FirmwareUpdated: 'true', CommandKey: 'k1' });
    await controller.until(() => controller.of('transfers').length > 0);
    const reported = controller.of('transfers')[0]!.notification;
    expect(reported.type === 'event' && Object.fromEntries(reported.params)).toMatchObject({ CommandKey: 'k1', FaultCode: '0' });
  });

  it('continues where the connection broke, and does not download anything twice', async () => {
    const router = await start({ inMemory });
    files.breakAfter = 70_000;
    await download(router);
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(files.fetched.length).toBeGreaterThanOrEqual(3);
    expect(files.fetched.slice(1).every(({ range }) => /^bytes=[1-9]\d*-$/u.test(range ?? ''))).toBe(true);
  });

  it('starts over when the server does not support ranges', async () => {
    const router = await start({ inMemory });
    files.breakAfter = 70_000;
    files.ignoresRanges = true;
    await download(router);
    await controller.until(() => true);
    files.breakAfter = undefined;
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
  });

  it.each([
    ['never connects', 'never-connects'],
    ['crashes at every start', 'crashes'],
  ])('that %s is replaced by the previous one, by itself', async (_, line) => {
    const router = await start({ inMemory, callHomeMs: 150 });
    files.file = imageOf({ line });
    await download(router);
    await connected(router, 2);
    expect(await endOf('k1')).toMatch(/^did-not-call-home/u);
    expect(await readVersion(router)).toBe('2.1.0');
    expect(await get(router, `${SECOND_SLOT}Status`)).toBe('ActivationFailed');
  });
});

describe('an invalid image', () => {
  it.each([
    ['of another model', () => imageOf({ model: 'HL-900' }), {}, /^wrong-model: .*HL-900/u],
    [
      'signed with an unknown key',
      () => imageOf({ privateKey: generateKeyPair().privateKey }),
      {},
      /^verification-failed: .*signature/u,
    ],
    ['without a signature', () => Buffer.alloc(5_000, 7), {}, /^verification-failed: .*signature/u],
    ['with another SHA-256', () => imageOf(), { CheckSum: 'ab'.repeat(32) }, /^verification-failed: .*SHA-256/u],
    ['longer than announced', () => imageOf(), { FileSize: '1000' }, /^download-failed: more than/u],
  ])('%s is rejected, and the running one continues', async (_, make, more, reason) => {
    const router = await start();
    files.file = make();
    await download(router, 'k1', more);
    expect(await endOf('k1')).toMatch(reason);
    expect(await readVersion(router)).toBe('2.1.0');
    expect(router.bootCount).toBe(1);
  });

  it('of a version older than signed images that have run allow is neither installed nor started, and any other is', async () => {
    const router = await start();
    const install = (key: string, slot: number) =>
      operate(router, `Device.DeviceInfo.FirmwareImage.${slot}.Download()`, key, { ...transfer(), AutoActivate: 'true' });
    files.file = imageOf({ version: '3.0.0', oldest: '2.5.0' });
    await install('k1', 2);
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(await endOf('k1')).toBe('');
    // The former one, 2.1.0, is still there.
    expect(await operate(router, 'Device.DeviceInfo.FirmwareImage.1.Activate()', 'k2', {})).toMatchObject({
      type: 'cmd_failure',
    });
    files.file = imageOf({ version: '2.4.9' });
    await install('k3', 1);
    expect(await endOf('k3')).toBe('verification-failed: version 2.4.9 is older than 2.5.0, the oldest that may be installed');
    files.file = imageOf({ version: '2.5.0' });
    await install('k4', 1);
    await connected(router, 3);
    expect(await readVersion(router)).toBe('2.5.0');
    expect(await endOf('k4')).toBe('');
  });

  it('a download follows a redirect to a store without the credentials, and asks the cloud again for each part', async () => {
    const router = await start();
    const store = await startFileServer(files.file);
    store.breakAfter = 70_000;
    store.broke = () => (store.breakAfter = undefined);
    files.redirectTo = store.url;
    await download(router);
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(files.fetched.map(({ authorization }) => authorization !== undefined)).toEqual([true, true]);
    expect(store.fetched.map(({ range, authorization }) => [range !== undefined, authorization])).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
    await store.stop();
  });

  it.each([
    ['without end', () => files.url, 'more than 5 redirects'],
    ['to another scheme', () => 'https://127.0.0.1/file', 'a redirect from http: to https:'],
    ['to an unencrypted server', () => 'http://store.example.com/file', 'an unencrypted redirect to store.example.com'],
  ])('a redirect %s is not followed', async (_, to, reason) => {
    const router = await start();
    files.redirectTo = to();
    await download(router);
    expect(await endOf('k1')).toBe(`download-failed: ${reason}`);
  });

  it.each([404, 403, 410])('an address that answers %i is not retried', async (status) => {
    const router = await start();
    files.rejectWith = status;
    await download(router);
    expect(await endOf('k1')).toBe(`download-failed: the server answered ${status}`);
    expect(files.fetched).toHaveLength(1);
    expect(await get(router, `${SECOND_SLOT}Status`)).toBe('DownloadFailed');
  });

  it('a server that never sends a byte is given up after a while', async () => {
    const router = await start();
    files.rejectWith = 503;
    await download(router);
    expect(await endOf('k1')).toBe('download-failed: the server answered 503');
    expect(files.fetched).toHaveLength(10);
  });

  it('without trusted keys only the SHA-256 is checked, and the data model reports that', async () => {
    const router = await start({ trustedKeys: [] });
    expect(await get(router, 'Device.DeviceInfo.X_HIGHLINE_ImageSignature')).toBe('none');
    files.file = Buffer.concat([Buffer.from('highline-simulation: reports 9.9\n'), Buffer.alloc(5_000, 7)]);
    await download(router);
    await connected(router, 2);
    expect(await readVersion(router)).toBe('9.9');
  });

  it.each([
    [{ URL: 'file:///etc/passwd' }],
    [{ URL: '' }],
    [{ FileSize: '0' }],
    [{ FileSize: '99999999999' }],
    [{ CheckSumAlgorithm: 'MD5' }],
    [{ CheckSum: 'x' }],
  ])('invalid arguments are rejected at once: %j', async (more) => {
    const router = await start();
    expect(await download(router, 'k1', more)).toMatchObject({ type: 'cmd_failure', errCode: 7027 });
    expect(files.fetched).toEqual([]);
  });
});

describe('commands', () => {
  it('the same key is the same job, while it runs and after it ended; another one has to wait', async () => {
    const router = await start();
    files.breakAfter = 1_000;
    const first = await download(router);
    expect(await download(router)).toEqual(first);
    expect(await download(router, 'k2')).toMatchObject({ type: 'cmd_failure', errCode: 7005 });
    files.breakAfter = undefined;
    await connected(router, 2);
    await readVersion(router);
    await endOf('k1');
    expect(await download(router)).toMatchObject({ type: 'req_output_args' });
    expect(router.bootCount).toBe(2);
  });

  it('without coverage a download pauses, and continues with the missing part', async () => {
    const router = await start();
    files.breakAfter = 70_000;
    files.broke = () => {
      files.broke = undefined;
      files.breakAfter = undefined;
      router.lostCoverage(60);
    };
    await download(router);
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(files.fetched).toHaveLength(2);
  });

  it('GRP-10-partial a download continues after the cloud was gone for as long as it takes', async () => {
    const router = await start();
    files.breakAfter = 70_000;
    files.broke = () => {
      files.breakAfter = undefined;
      files.rejectWith = 503;
      controller.rejectWith = 503;
      controller.socket(router.endpointId).terminate();
    };
    await download(router);
    await controller.until(() => files.fetched.length > 30);
    files.rejectWith = undefined;
    controller.rejectWith = undefined;
    await connected(router, 3);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(await endOf('k1')).toBe('');
  });

  it.each([401, 403, 404])(
    'GRP-10-partial an address that answers %i after a power cut: the next one is used',
    async (status) => {
      const router = await start({ retryMs: 1_000 });
      await downloadPart(router);
      const cut = files.fetched.length;
      files.rejectWith = status;
      router.powerCut(0);
      await connected(router, 2);
      await expect.poll(() => files.fetched.length).toBe(cut + 1);
      const renewed = await startFileServer(files.file);
      expect(await download(router, 'k1', { URL: renewed.url })).toMatchObject({ type: 'req_obj_path' });
      await connected(router, 3);
      expect(await readVersion(router)).toBe('3.0.0');
      expect(await endOf('k1')).toBe('');
      expect(renewed.fetched.map(({ range }) => range)).toEqual(['bytes=70000-']);
      await renewed.stop();
    },
  );

  it('GRP-10-partial an address that stays unknown after a power cut ends the download', async () => {
    const router = await start();
    await downloadPart(router);
    files.rejectWith = 404;
    router.powerCut(0);
    expect(await endOf('k1')).toBe('download-failed: the server answered 404');
    expect(files.fetched.length).toBeGreaterThan(10);
  });

  it('GRP-10-partial a power cut after the last byte that loses the end of the file: it is downloaded once more', async () => {
    const router = await start();
    await downloadPart(router);
    await router.stop();
    const state = join(folder, 'HL-0001.json');
    writeFileSync(state, readFileSync(state, 'utf8').replace('"stage":"download"', '"stage":"verify"'));
    const again = restart();
    await connected(again, 3);
    expect(await readVersion(again)).toBe('3.0.0');
    expect(await endOf('k1')).toBe('');
  });

  it('GRP-10-partial a power cut that leaves zeros in the file: it is downloaded once more', async () => {
    const router = await start();
    await downloadPart(router);
    await router.stop();
    writeFileSync(slotFile(), Buffer.concat([readFileSync(slotFile()).subarray(0, 60_000), Buffer.alloc(10_000)]));
    const again = restart();
    await connected(again, 3);
    expect(await readVersion(again)).toBe('3.0.0');
    expect(await endOf('k1')).toBe('');
    expect(files.fetched.map(({ range }) => range)).toEqual([undefined, 'bytes=70000-', undefined]);
  });

  it('GRP-10-partial a file that is not the announced one is downloaded once more at most', async () => {
    const router = await start();
    await downloadPart(router, { CheckSum: 'ab'.repeat(32) });
    router.powerCut(0);
    expect(await endOf('k1')).toBe('verification-failed: the SHA-256 differs');
    expect(files.fetched.map(({ range }) => range)).toEqual([undefined, 'bytes=70000-', undefined]);
  });

  it('GRP-10-partial attempts that brought nothing no longer count once bytes came, also after a power cut', async () => {
    const router = await start();
    files.rejectWith = 503;
    files.rejected = () => {
      if (files.fetched.length === 9) files.rejectWith = undefined;
    };
    await downloadPart(router);
    files.rejectWith = 503;
    files.rejected = () => (files.rejectWith = undefined);
    router.powerCut(0);
    await connected(router, 3);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(await endOf('k1')).toBe('');
  });

  it('flash that cannot be written ends it, and the running one continues', async () => {
    const router = await start();
    router.badFlash(60_000);
    await download(router);
    expect(await endOf('k1')).toMatch(/^installation-failed: /u);
    expect(await get(router, `${SECOND_SLOT}Status`)).toBe('InstallationFailed');
    expect(await readVersion(router)).toBe('2.1.0');
  });

  it('until its restart a router is unchanged: it reports the old version, and proves nothing of the new one', async () => {
    const router = await start({ graceMs: 60_000 });
    files.file = imageOf({ line: 'never-connects' });
    await controller.subscribe(router.endpointId, 'status', 'ValueChange', `${SECOND_SLOT}Status`);
    await download(router);
    await controller.until(() => controller.of('status').some(({ notification: n }) => reported(n) === 'Available'));
    expect(await readVersion(router)).toBe('2.1.0');
    expect(await get(router, `${SECOND_SLOT}Status`)).toBe('Available');
    for (let starts = 0; starts < 4; starts++) await cutPower(router);
    await connected(router, 2);
    expect(await endOf('k1')).toMatch(/^did-not-call-home/u);
    expect(await readVersion(router)).toBe('2.1.0');
  });

  it('a requested restart keeps its cause and key when it starts another slot', async () => {
    const router = await start();
    await download(router, 'k1', { AutoActivate: 'false' });
    await endOf('k1');
    expect(await chooseBoot(router, 2)).toBe('set_resp');
    await operate(router, 'Device.Reboot()', 'r1', {});
    await controller.until(() => controller.of('boots').length > 0);
    const boot = controller.of('boots')[0]!.notification;
    expect(boot.type === 'event' && Object.fromEntries(boot.params)).toMatchObject({
      Cause: 'RemoteReboot',
      CommandKey: 'r1',
      FirmwareUpdated: 'true',
    });
  });

  it('a slot without an image cannot be chosen, and one being overwritten is no longer chosen', async () => {
    const router = await start();
    expect(await chooseBoot(router, 2)).toBe('error');
    await download(router, 'k1', { AutoActivate: 'false' });
    await endOf('k1');
    await chooseBoot(router, 2);
    files.rejectWith = 404;
    await download(router, 'k2', { AutoActivate: 'false' });
    await endOf('k2');
    expect(await get(router, 'Device.DeviceInfo.BootFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.1');
    router.reboot();
    await connected(router, 2);
    expect(await readVersion(router)).toBe('2.1.0');
  });

  it('the running image cannot be overwritten', async () => {
    const router = await start();
    const response = await operate(router, 'Device.DeviceInfo.FirmwareImage.1.Download()', 'k', transfer());
    expect(response).toMatchObject({ type: 'cmd_failure', errCode: 7027 });
  });

  it('GRP-10-partial that starts where there is no network is not replaced for that, and runs once there is one', async () => {
    const router = await start({ callHomeMs: 1_500 });
    await download(router, 'k1', { AutoActivate: 'false' });
    expect(await endOf('k1')).toBe('');
    await chooseBoot(router, 2);
    router.lostCoverage(2_500);
    router.reboot();
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(router.bootCount).toBe(2);
  });

  it('without AutoActivate it waits for the boot that BootFirmwareImage chooses it for', async () => {
    const router = await start();
    await download(router, 'k1', { AutoActivate: 'false' });
    expect(await endOf('k1')).toBe('');
    expect(await get(router, `${SECOND_SLOT}Status`)).toBe('Available');
    await chooseBoot(router, 2);
    expect(await readVersion(router)).toBe('2.1.0');
    router.reboot();
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(await get(router, 'Device.DeviceInfo.BootFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.2');
  });

  it('Activate() starts a downloaded image', async () => {
    const router = await start();
    await download(router, 'k1', { AutoActivate: 'false' });
    await endOf('k1');
    await operate(router, `${SECOND_SLOT}Activate()`, 'k2', { 'TimeWindow.1.Start': '0', 'TimeWindow.1.Mode': 'Immediately' });
    await connected(router, 2);
    expect(await readVersion(router)).toBe('3.0.0');
    expect(await endOf('k2')).toBe('');
    expect(await operate(router, `${SECOND_SLOT}Activate()`, 'k3', {})).toMatchObject({ type: 'cmd_failure' });
  });

  it('an end is reported again after a power cut, until the controller has acknowledged it', async () => {
    const router = await start();
    controller.acknowledges = false;
    files.rejectWith = 404;
    await download(router);
    await endOf('k1');
    router.powerCut(0);
    await connected(router, 2);
    await controller.until(() => controller.of('ends').length >= 2);
    controller.acknowledges = true;
    const before = controller.of('ends').length;
    router.powerCut(0);
    await connected(router, 3);
    await controller.until(() => controller.of('ends').length > before);
    await readVersion(router);
    router.powerCut(0);
    await connected(router, 4);
    const taken = controller.of('ends').length;
    await readVersion(router);
    await controller.until(() => controller.of('boots').length > 0);
    expect(controller.of('ends').length).toBe(taken);
  });

  it('a factory reset deletes a running download, and no end of it is reported', async () => {
    const router = await start();
    files.breakAfter = 1_000;
    await download(router);
    await operate(router, 'Device.FactoryReset()', 'r', {});
    await connected(router, 2);
    expect(await readVersion(router)).toBe('2.1.0');
    expect(await get(router, 'Device.LocalAgent.RequestNumberOfEntries')).toBe('0');
  });
});

describe('a config file', () => {
  const restore = (router: RouterHandle, text: string, key = 'c1') => {
    files.file = Buffer.from(text);
    return operate(router, `${CONFIG}Restore()`, key, { ...transfer(), TargetFileName: 'depot.cfg' });
  };

  it('is activated with a new connection, and reported by name and the beginning of its SHA-256', async () => {
    const router = await start();
    expect(await restore(router, 'apn = fleet\n')).toMatchObject({ type: 'req_obj_path' });
    await connected(router, 2);
    expect(await get(router, `${CONFIG}Name`)).toBe('depot.cfg');
    expect(await endOf('c1')).toBe('');
    expect(await get(router, `${CONFIG}Version`)).toBe(sha256(files.file).slice(0, 12));
    expect(await get(router, `${CONFIG}X_HIGHLINE_SHA256`)).toBe(sha256(files.file));
    expect(router.bootCount).toBe(1);
  });

  it.each([undefined, ''])(
    'DEV-08-partial is installed once a modem has registered that was not at the start, and says nothing: eid %j',
    async (eid) => {
      let registered = false;
      const router = startAgent({
        server: controller.url,
        router: { ...ROUTER, ...(eid === undefined ? {} : { eid }) },
        timing: { ...FAST, callHomeMs: 60_000, retryMs: 2 },
        platform: (description, scheduler) => {
          const modem = { ...modemNumbers(description), carrier: 'Testnet', apn: '' };
          const platform = createSimulatedPlatform({ seed: 1, scheduler, modem });
          return { ...platform, modem: { ...platform.modem, signal: () => ({ ...platform.modem.signal(), registered }) } };
        },
      });
      started.push(router);
      registered = true;
      await connected(router, 1);
      await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
      await restore(router, 'apn = fleet\n');
      await connected(router, 2);
      expect(await get(router, `${CONFIG}Name`)).toBe('depot.cfg');
      expect(await endOf('c1')).toBe('');
    },
  );

  const beginDuringChoice = async (router: RouterHandle) => {
    await download(router, 'k1', { AutoActivate: 'false' });
    await endOf('k1');
    await chooseBoot(router, 2);
    files.holdAfter = 1;
    await restore(router, 'apn = fleet\n');
    await expect.poll(() => files.fetched.length).toBe(2);
  };

  it('GRP-10-partial continues after the trial of firmware that BootFirmwareImage chose', async () => {
    const router = await start();
    await beginDuringChoice(router);
    router.reboot();
    await connected(router, 2);
    files.holdAfter = undefined;
    expect(await readVersion(router)).toBe('3.0.0');
    await connected(router, 3);
    expect(await get(router, `${CONFIG}Name`)).toBe('depot.cfg');
    expect(await endOf('c1')).toBe('');
    expect(
      controller.of('ends').filter(({ notification: n }) => n.type === 'oper_complete' && n.commandKey === 'c1'),
    ).toHaveLength(1);
  });

  it('GRP-10-partial continues after firmware that BootFirmwareImage chose was replaced by the previous one', async () => {
    files.file = imageOf({ line: 'never-connects' });
    const router = await start({ callHomeMs: 150 });
    await beginDuringChoice(router);
    files.holdAfter = undefined;
    router.reboot();
    await connected(router, 2);
    expect(await readVersion(router)).toBe('2.1.0');
    await connected(router, 3);
    expect(await get(router, `${CONFIG}Name`)).toBe('depot.cfg');
    expect(await endOf('c1')).toBe('');
  });

  it.each(['server.offline = true\n', 'server.url = ws://127.0.0.1:1\n'])(
    'that disconnects the router is replaced by the previous one, by itself: %j',
    async (text) => {
      const router = await start({ callHomeMs: 120 });
      await restore(router, text);
      await connected(router, 2);
      expect(await endOf('c1')).toMatch(/^did-not-call-home/u);
      expect(await get(router, `${CONFIG}Name`)).toBe('city.json');
    },
  );

  it.each([
    'wss://cloud.example.com:84433',
    'wss://<host>',
    'wss://a:b',
    'wss://host#x',
    'wss://host#',
    'wss://host?x',
    'wss://u:p@host',
    'wss://a\\b',
  ])(
    'GRP-10-partial with an address that is none keeps the cloud of before, and the router starts again: %s',
    async (address) => {
      const router = await start();
      await restore(router, `server.url = ${address}\n`);
      await connected(router, 2);
      expect(await get(router, `${CONFIG}Name`)).toBe('depot.cfg');
      expect(await endOf('c1')).toBe('');
      await cutPower(router);
      await connected(router, 3);
    },
  );

  it('on trial is replaced after too many starts too', async () => {
    const router = await start();
    await restore(router, 'server.offline = true\n');
    await controller.until(() => controller.openCount === 0);
    for (let starts = 0; starts < 4; starts++) await cutPower(router);
    await connected(router, 2);
    expect(await endOf('c1')).toMatch(/^did-not-call-home/u);
  });
});
