import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { control } from '../control.ts';
import { makeMac } from '../identity.ts';
import type { RouterHandle } from '../router.ts';
import { startAgent } from '../start.ts';
import { TestController } from '../testing/controller.ts';
import { type FileServer, startFileServer } from '../testing/file-server.ts';
import { imageOf, keys, sha256 } from '../testing/images.ts';

const ROUTER = { serial: 'HL-0001', mac: makeMac(1), secret: 's', model: 'HL-500', firmware: '2.1.0' };
const SLOT = 'Device.DeviceInfo.FirmwareImage.2.';
const MAX_FILE_BYTES = 768 * 1024;

let controller: TestController;
let files: FileServer;
let disk: string;
let routers: RouterHandle[];

const canMount = process.getuid?.() === 0;

beforeEach(async () => {
  controller = await TestController.start();
  files = await startFileServer(imageOf());
  disk = mkdtempSync(join(tmpdir(), 'router-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  routers = [];
});
afterEach(async () => {
  await Promise.all(routers.map((router) => router.stop()));
  await controller.stop();
  await files.stop();
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});

async function start(): Promise<RouterHandle> {
  const connects = controller.connects.length;
  const backoff = { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 };
  const timing = { backoff, valueChangePollMs: 10, graceMs: 5, bootMs: 10, retryMs: 2 };
  const router = startAgent({ server: controller.url, router: ROUTER, timing, trustedKeys: [keys.publicKey], stateDir: disk });
  routers.push(router);
  await controller.until(() => controller.connects.length > connects);
  return router;
}

async function download(router: RouterHandle): Promise<void> {
  await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
  const inputArgs = new Map(
    Object.entries({
      URL: files.url,
      FileSize: String(files.file.length),
      CheckSumAlgorithm: 'SHA-256',
      CheckSum: sha256(files.file),
    }),
  );
  const command = `${SLOT}Download()`;
  await controller.request(router.endpointId, { type: 'operate', command, commandKey: 'k', sendResp: true, inputArgs });
}

/** The failure of the download. */
async function failureOf(): Promise<string> {
  await controller.until(() => controller.of('ends').length > 0);
  const { notification } = controller.of('ends')[0]!;
  return notification.type === 'oper_complete' && notification.result.type === 'cmd_failure' ? notification.result.errMsg : '';
}

async function statusOf(router: RouterHandle): Promise<string | undefined> {
  const paramPaths = [`${SLOT}Status`];
  const { reqPathResults } = await controller.request(router.endpointId, { type: 'get', paramPaths, maxDepth: 0 });
  return reqPathResults[0]?.resolvedPathResults[0]?.resultParams.get('Status');
}

const storedFile = () => join(disk, 'HL-0001.slot-2');

/** As logs of other programs do. */
function fillDisk(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'other'), Buffer.alloc(bavail * bsize));
}

/** The router has a part of the file, and gets no more. */
async function downloadPart(router: RouterHandle): Promise<void> {
  files.holdAfter = 70_000;
  await download(router);
  await expect.poll(() => statSync(storedFile(), { throwIfNoEntry: false })?.size).toBe(70_000);
  files.holdAfter = undefined;
}

describe.skipIf(!canMount)('a disk that is full', () => {
  it('GRP-10-partial during a download ends it, and what it had filled is free again', async () => {
    const router = await start();
    await downloadPart(router);
    fillDisk();
    files.breakAll();
    expect(await failureOf()).toMatch(/^installation-failed: .*ENOSPC/u);
    expect(await statusOf(router)).toBe('InstallationFailed');
    expect(existsSync(storedFile())).toBe(false);
  });

  it('GRP-10-partial at a start: the router comes online, and reports that the download failed', async () => {
    const router = await start();
    await downloadPart(router);
    await router.stop();
    fillDisk();
    const again = await start();
    expect(await failureOf()).toMatch(/^installation-failed: .*ENOSPC/u);
    expect(await statusOf(again)).toBe('InstallationFailed');
  });

  it('NTF-01-partial at a factory reset: what a download had filled is free again, and the router starts', async () => {
    const router = await start();
    await downloadPart(router);
    fillDisk();
    router.factoryReset();
    await controller.until(() => controller.connects.length === 2);
    expect(await statusOf(router)).toBe('NoImage');
    expect(existsSync(storedFile())).toBe(false);
  });

  it('NTF-01-partial with nothing to erase: a command at the router says so, and it stays online as it was', async () => {
    const router = await start();
    fillDisk();
    for (const command of ['factory-reset', 'change-password', 'switch'])
      expect(control(new Map([[router.serial, router]]), { command, value: 'radios', state: 'off' })).toEqual({
        ok: false,
        error: expect.stringMatching(/^HL-0001: ENOSPC/u) as string,
      });
    expect(router.condition).toBe('connected');
    rmSync(join(disk, 'other'));
    expect(control(new Map([[router.serial, router]]), { command: 'factory-reset' })).toMatchObject({ ok: true });
    await controller.until(() => controller.connects.length === 2);
  });

  it('GRP-10-partial too little space for a file is reported at once, and nothing is downloaded', async () => {
    const router = await start();
    files.file = Buffer.alloc(MAX_FILE_BYTES + 1);
    await download(router);
    expect(await failureOf()).toMatch(/^installation-failed: 786433 bytes do not fit; the storage has \d+ for a file$/u);
    expect(files.fetched).toEqual([]);
  });
});
