import type { groups } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchDownload } from '../../../testing/updating-router.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../../testing/rollouts.ts';

type Group = groups.Group;

let fixture: RolloutFixture;
let group: string;
let version = 0;

beforeAll(async () => {
  fixture = await openRolloutFixture({ rollouts: { restartMs: 60_000 } });
});
afterAll(() => fixture.close());

async function one(choice: Parameters<RolloutFixture['routers']>[2] = {}): Promise<GroupRouter> {
  group = await fixture.group();
  return (await fixture.routers(group, 1, choice))[0]!;
}
const newFirmware = async () => {
  const label = `2.0.${++version}`;
  return { label, pk: await fixture.firmware(label) };
};
const successful = async () => {
  const { successful: have, deviceCount } = await fixture.call<Group>('GET', `/data_manager/v1/dm/group/${group}`);
  return `${have}/${deviceCount}`;
};
const firmwareOf = async (router: GroupRouter) => {
  const { rows } = await fixture.server.owner.query<{ firmware: string }>('select firmware from devices where id = $1', [
    router.device,
  ]);
  return rows[0]?.firmware;
};

describe('firmware', () => {
  test('GRP-10-partial bound now, firmware is downloaded by the router alone, flashed, and counted once the router runs it', async () => {
    const router = await one({ checksSignature: true });
    await router.connect();
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk);
    await fixture.awaitRequests(router, 1);
    const [operation] = router.operations;
    expect(operation).toMatchObject({
      command: 'Device.DeviceInfo.FirmwareImage.2.Download()',
      args: { AutoActivate: 'true', CheckSumAlgorithm: 'SHA-256' },
    });
    const response = await fetchDownload(operation!);
    const image = Buffer.from(await response.arrayBuffer());
    expect([response.status, image.length]).toEqual([200, Number(operation!.args['FileSize'])]);
    await fixture.becomes(rollout, router, { state: 'downloading', attempt: 1, checked_by: 'sha256+signature' });
    expect(await successful()).toBe('0/1');
    await router.complete(operation!);
    await fixture.becomes(rollout, router, { state: 'rebooting', phase: 'applied' });
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful', step_key: null, percent: 100 });
    expect(await successful()).toBe('1/1');
    expect((await fetchDownload(operation!)).status).toBe(404);
  });

  test('GRP-10-partial for the next boot, firmware is downloaded now and active after the boot', async () => {
    const router = await one();
    await router.connect();
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk, { schedule: 'bootup' });
    await fixture.awaitRequests(router, 1);
    expect(router.operations[0]!.args['AutoActivate']).toBe('false');
    await router.complete(router.operations[0]!);
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'next-boot', phase: 'staged' });
    expect(router.valueOf('Device.DeviceInfo.BootFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.2');
    expect(await successful()).toBe('0/1');
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful' });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial a router that restarts during the download for its next boot waits for the boot after that', async () => {
    const router = await one();
    await router.connect();
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk, { schedule: 'bootup' });
    await fixture.awaitRequests(router, 1);
    await router.boot();
    await fixture.awaitRequests(router, 2);
    await router.complete(router.operations[1]!);
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'next-boot', phase: 'staged' });
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful' });
    const { rows } = await fixture.server.owner.query('select state from router_events where rollout_id = $1', [rollout.id]);
    expect(rows.map(({ state }) => state)).not.toContain('failed');
  });

  test('GRP-10-partial postponed, nothing is sent before the first boot after the given time', async () => {
    const router = await one();
    await router.connect();
    const { pk } = await newFirmware();
    const postpone = Math.floor(fixture.clock.now().getTime() / 1_000) + 3 * 86_400;
    const rollout = await fixture.bind('firmware', group, pk, { schedule: 'bootup', postpone });
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'postponed' });
    await router.boot();
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'postponed' });
    fixture.clock.move(4 * 86_400_000);
    // It reconnected, but has not restarted.
    router.cut();
    await router.connect();
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'postponed' });
    expect(router.operations).toEqual([]);
    await router.boot();
    await fixture.awaitRequests(router, 1);
    expect(router.operations[0]!.args['AutoActivate']).toBe('true');
  });

  test('GRP-10-partial a router that was off gets the file when it comes back days later, without a failure in between', async () => {
    const router = await one();
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk);
    expect(await fixture.targets(rollout.id)).toMatchObject([{ state: 'waiting', reason: 'offline', presence: 'offline' }]);
    fixture.clock.move(5 * 86_400_000);
    expect((await fixture.rollout(group)).states).toMatchObject({ waiting: 1, failed: 0 });
    await router.connect();
    await fixture.awaitRequests(router, 1);
    await router.complete(router.operations[0]!);
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful' });
  });

  test('GRP-10-partial a router that runs the version already counts at once and is sent nothing', async () => {
    const { label, pk } = await newFirmware();
    const router = await one({ firmware: label });
    await router.connect();
    await expect.poll(() => firmwareOf(router)).toBe(label);
    const rollout = await fixture.bind('firmware', group, pk);
    await fixture.becomes(rollout, router, { state: 'successful', attempt: 0 });
    expect(await successful()).toBe('1/1');
  });
});

describe('a former version that is bound again', () => {
  const former = () => fixture.firmware('1.0.0');
  const installed = async (router: GroupRouter, version: string) => {
    router.set('Device.DeviceInfo.ActiveFirmwareImage', 'Device.DeviceInfo.FirmwareImage.2');
    router.set('Device.DeviceInfo.BootFirmwareImage', 'Device.DeviceInfo.FirmwareImage.2');
    await router.boot(version);
  };

  test('GRP-10-partial reaches also a router that was off with the other version ready, and one that was installing it', async () => {
    group = await fixture.group();
    const [off, installing] = (await fixture.routers(group, 2)) as [GroupRouter, GroupRouter];
    const back = await former();
    for (const router of [off, installing]) {
      await router.connect();
      await expect.poll(() => firmwareOf(router)).toBe('1.0.0');
    }
    const bad = await newFirmware();
    const withdrawn = await fixture.bind('firmware', group, bad.pk, { schedule: 'bootup' });
    for (const router of [off, installing]) await fixture.awaitRequests(router, 1);
    await off.complete(off.operations[0]!);
    await fixture.becomes(withdrawn, off, { phase: 'staged' });
    await fixture.cutAll();
    const rollout = await fixture.bind('firmware', group, back);
    expect(await successful()).toBe('2/2');
    for (const router of [off, installing]) {
      await installed(router, bad.label);
      await fixture.awaitRequests(router, 2);
    }
    expect(await successful()).toBe('0/2');
    for (const router of [off, installing]) {
      await router.complete(router.operations[1]!);
      await router.boot('1.0.0');
      await fixture.becomes(rollout, router, { state: 'successful', attempt: 1 });
    }
    await installing.boot(bad.label);
    await fixture.becomes(rollout, installing, { state: 'failed', reason: 'not-in-force' });
  });
});

describe('an agent that reports its transfers', () => {
  test("GRP-10-partial TransferComplete! ends a step as well as the command's completion, before it, after it or alone", async () => {
    const router = await one();
    await router.connect();
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk);
    await fixture.awaitRequests(router, 1);
    await router.transferred(router.operations[0]!);
    await fixture.becomes(rollout, router, { state: 'rebooting', phase: 'applied' });
    await router.complete(router.operations[0]!);
    await router.transferred(router.operations[0]!);
    await fixture.becomes(rollout, router, { state: 'rebooting', phase: 'applied' });
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful' });
    await router.transferred(router.operations[0]!, 'came too late');
    await fixture.becomes(rollout, router, { state: 'successful' });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial a failed transfer fails the step, whatever is reported about it later', async () => {
    const router = await one();
    await router.connect();
    const rollout = await fixture.bind('firmware', group, (await newFirmware()).pk);
    await fixture.awaitRequests(router, 1);
    await router.transferred({ ...router.operations[0]!, key: 'of another binding' }, 'not ours');
    await router.transferred(router.operations[0]!, 'download-failed');
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'download-failed' });
    await router.complete(router.operations[0]!);
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'download-failed' });
    expect(router.operations).toHaveLength(1);
  });
});

describe('a choice for the next boot that is no longer to be started', () => {
  const [first, second] = ['Device.DeviceInfo.FirmwareImage.1', 'Device.DeviceInfo.FirmwareImage.2'];
  const chosen = (router: GroupRouter) => router.valueOf('Device.DeviceInfo.BootFirmwareImage');
  const unbind = () => fixture.call('DELETE', `/data_manager/v1/binding/group/firmware?group=${encodeURIComponent(group)}`);
  const openChoices = async (router: GroupRouter) => {
    const { rows } = await fixture.server.owner.query(
      'select 1 from boot_choices c join devices d on d.router_id = c.router_id where d.id = $1',
      [router.device],
    );
    return rows.length;
  };

  /** A router whose next boot would start the bound firmware, by its own memory too. */
  async function staged(choice: Parameters<RolloutFixture['routers']>[2] = {}): Promise<GroupRouter> {
    const router = await one(choice);
    await router.connect();
    const rollout = await fixture.bind('firmware', group, (await newFirmware()).pk, { schedule: 'bootup' });
    await fixture.awaitRequests(router, 1);
    await router.complete(router.operations[0]!);
    await fixture.becomes(rollout, router, { phase: 'staged' });
    expect(chosen(router)).toBe(second);
    router.set('Device.DeviceInfo.BootFirmwareImage', second);
    return router;
  }

  test('GRP-10-partial is reverted at once: the router starts what it runs, not what its group no longer has', async () => {
    const router = await staged();
    await unbind();
    await expect.poll(() => chosen(router)).toBe(first);
    await expect.poll(() => openChoices(router)).toBe(0);
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial of a router that was off meanwhile is reverted when it connects', async () => {
    const router = await staged();
    await fixture.cutAll();
    await unbind();
    expect(await openChoices(router)).toBe(1);
    await router.connect();
    await expect.poll(() => chosen(router)).toBe(first);
    await expect.poll(() => openChoices(router)).toBe(0);
  });

  test('GRP-10-partial is left alone once the router has started it', async () => {
    const router = await staged();
    await fixture.cutAll();
    await unbind();
    router.set('Device.DeviceInfo.ActiveFirmwareImage', second);
    await router.boot('2.9.9');
    await expect.poll(() => openChoices(router)).toBe(0);
    expect(chosen(router)).toBe(second);
  });

  test('GRP-10-partial is reverted as well when its rollout is cancelled, and the router waits as all of that rollout do', async () => {
    const router = await staged();
    const rollout = await fixture.rollout(group);
    await fixture.control(rollout.id, 'cancel');
    await expect.poll(() => chosen(router)).toBe(first);
    await expect.poll(() => openChoices(router)).toBe(0);
    await fixture.becomes(rollout, router, { phase: 'idle', state: 'waiting', reason: 'cancelled', step_key: null });
    await router.boot();
    await fixture.becomes(rollout, router, { phase: 'idle', state: 'waiting', reason: 'cancelled' });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial is reverted while its rollout is paused, though the router starts again, and made again when it goes on', async () => {
    const router = await staged();
    const rollout = await fixture.rollout(group);
    await fixture.control(rollout.id, 'pause');
    await fixture.becomes(rollout, router, { phase: 'downloaded', state: 'waiting', reason: 'paused' });
    expect(chosen(router)).toBe(first);
    router.set('Device.DeviceInfo.BootFirmwareImage', first);
    await router.boot();
    await fixture.becomes(rollout, router, { phase: 'downloaded', state: 'waiting', reason: 'paused' });
    await fixture.control(rollout.id, 'resume');
    await fixture.becomes(rollout, router, { phase: 'staged', state: 'waiting', reason: 'next-boot' });
    expect([chosen(router), router.operations.length]).toEqual([second, 1]);
  });

  test('GRP-10-partial is made again after a resume that comes while it is reverted, not undone by what is under way', async () => {
    const router = await staged();
    const rollout = await fixture.rollout(group);
    await fixture.control(rollout.id, 'pause');
    await fixture.control(rollout.id, 'resume');
    await fixture.becomes(rollout, router, { phase: 'staged', state: 'waiting', reason: 'next-boot' });
    await expect.poll(() => chosen(router)).toBe(second);
  });

  test('GRP-10-partial of a router that is off while its rollout is paused is reverted when it connects', async () => {
    const router = await staged();
    const rollout = await fixture.rollout(group);
    await fixture.cutAll();
    await fixture.control(rollout.id, 'pause');
    await fixture.becomes(rollout, router, { phase: 'staged', state: 'waiting', reason: 'next-boot' });
    await router.connect();
    await fixture.becomes(rollout, router, { phase: 'downloaded', state: 'waiting', reason: 'paused' });
    expect(chosen(router)).toBe(first);
  });

  test('GRP-10-partial is reverted also where the rollout was cancelled by an earlier version, which did not do that', async () => {
    const router = await staged();
    const rollout = await fixture.rollout(group);
    await fixture.server.owner.query("update bindings set state = 'cancelled' where id = $1", [rollout.id]);
    await fixture.restart();
    await router.connect(fixture.address());
    await expect.poll(() => chosen(router)).toBe(first);
    await expect.poll(() => openChoices(router)).toBe(0);
    await fixture.becomes(rollout, router, { phase: 'idle', state: 'waiting', reason: 'cancelled', step_key: null });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial what is still downloaded when its rollout is paused is chosen once it goes on, and never when it is cancelled', async () => {
    const router = await one();
    await router.connect();
    const rollout = await fixture.bind('firmware', group, (await newFirmware()).pk, { schedule: 'bootup' });
    await fixture.awaitRequests(router, 1);
    await fixture.control(rollout.id, 'pause');
    await router.complete(router.operations[0]!);
    await fixture.becomes(rollout, router, { phase: 'downloaded', state: 'waiting', reason: 'paused' });
    expect(chosen(router)).toBe(first);
    await fixture.control(rollout.id, 'resume');
    await fixture.becomes(rollout, router, { phase: 'staged', state: 'waiting', reason: 'next-boot' });
    expect(chosen(router)).toBe(second);
    const other = await fixture.bind('firmware', group, (await newFirmware()).pk, { schedule: 'bootup' });
    await fixture.awaitRequests(router, 2);
    await fixture.control(other.id, 'cancel');
    await router.complete(router.operations[1]!);
    await fixture.becomes(other, router, { phase: 'idle', state: 'waiting', reason: 'cancelled' });
    expect(chosen(router)).toBe(first);
  });

  test('GRP-10-partial says that it could not be reverted where the router rejects that, and is started; reverted once the router is back', async () => {
    let rejects = true;
    let rejections = 0;
    const router = await staged({
      rejectsValue: (value) => {
        const isRejected = rejects && value === first;
        if (isRejected) rejections++;
        return isRejected;
      },
    });
    const rollout = await fixture.rollout(group);
    const reasons = async () => {
      const { rows } = await fixture.server.owner.query<{ label: string }>(
        `select v.label from router_events v join devices d on d.router_id = v.router_id where d.id = $1 and v.reason = 'not-reverted'`,
        [router.device],
      );
      return rows.map(({ label }) => label);
    };
    await fixture.control(rollout.id, 'cancel');
    await fixture.becomes(rollout, router, { phase: 'staged', state: 'waiting', reason: 'not-reverted' });
    expect((await fixture.targets(rollout.id))[0]).toMatchObject({ state: 'waiting', reason: 'not-reverted' });
    expect(chosen(router)).toBe(second);
    expect(await reasons()).toEqual([rollout.name]);
    await fixture.cutAll();
    expect((await fixture.targets(rollout.id))[0]).toMatchObject({ state: 'waiting', reason: 'not-reverted' });
    await router.connect();
    await expect.poll(() => rejections).toBe(2);
    await fixture.becomes(rollout, router, { phase: 'staged', state: 'waiting', reason: 'not-reverted' });
    // At each connection it is requested, and it is one entry.
    expect(await reasons()).toEqual([rollout.name]);
    await fixture.cutAll();
    rejects = false;
    await router.connect();
    await fixture.becomes(rollout, router, { phase: 'idle', state: 'waiting', reason: 'cancelled' });
    expect(chosen(router)).toBe(first);

    rejects = true;
    const other = await staged({ rejectsValue: (value) => rejects && value === first });
    await unbind();
    await expect.poll(() => openChoices(other)).toBe(0);
    expect(chosen(other)).toBe(second);
    const path = `/data_manager/v1/dm/device/timeline?device=${other.device}&kind=rollout`;
    const [entry] = await fixture.call<object[]>('GET', path);
    expect(entry).toMatchObject({ kind: 'rollout', file: 'firmware', label: 'FirmwareImage.2', reason: 'not-reverted' });
  });

  test('GRP-10-partial is reverted when the router restarted without starting it, so that no later boot does', async () => {
    const router = await staged();
    const rollout = await fixture.rollout(group);
    await router.boot();
    await fixture.becomes(rollout, router, { phase: 'idle', state: 'failed', reason: 'not-in-force' });
    await expect.poll(() => chosen(router)).toBe(first);
    await expect.poll(() => openChoices(router)).toBe(0);
  });

  test('GRP-10-partial is reverted before other firmware is sent into the same slot', async () => {
    const router = await staged();
    const other = await fixture.bind('firmware', group, (await newFirmware()).pk, { schedule: 'bootup' });
    await fixture.awaitRequests(router, 2);
    expect([chosen(router), await openChoices(router)]).toEqual([first, 0]);
    await router.complete(router.operations[1]!);
    await fixture.becomes(other, router, { phase: 'staged' });
    expect(chosen(router)).toBe(second);
  });
});

describe('config files', () => {
  test('GRP-10-partial bound now, a config file is restored under its name and counted when the router reports it', async () => {
    const router = await one();
    await router.connect();
    const file = await fixture.config('depot.cfg', 'server.name = depot\n');
    const rollout = await fixture.bind('config', group, file);
    await fixture.awaitRequests(router, 1);
    const [operation] = router.operations;
    expect(operation).toMatchObject({
      command: 'Device.DeviceInfo.VendorConfigFile.1.Restore()',
      args: { TargetFileName: 'depot.cfg', FileSize: '20' },
    });
    expect(await (await fetchDownload(operation!)).text()).toBe('server.name = depot\n');
    router.set('Device.DeviceInfo.VendorConfigFile.1.Name', 'depot.cfg');
    router.set('Device.DeviceInfo.VendorConfigFile.1.Version', operation!.args['CheckSum']!.slice(0, 12));
    router.set('Device.DeviceInfo.VendorConfigFile.1.X_HIGHLINE_SHA256', operation!.args['CheckSum']!);
    await router.complete(operation!);
    await fixture.becomes(rollout, router, { state: 'successful' });
  });

  test('GRP-10-partial for the next boot, it is sent right after that boot', async () => {
    const router = await one();
    await router.connect();
    const rollout = await fixture.bind('config', group, await fixture.config('boot.cfg'), { schedule: 'bootup' });
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'next-boot' });
    expect(router.operations).toEqual([]);
    await router.boot();
    await fixture.awaitRequests(router, 1);
  });

  test('GRP-10-partial for the next boot, a boot before the device joined the group does not start it', async () => {
    const router = await one();
    const target = await fixture.group();
    const rollout = await fixture.bind('config', target, await fixture.config('join.cfg'), { schedule: 'bootup' });
    await router.connect();
    await router.boot();
    await fixture.call('PATCH', '/data_manager/v1/dm/device', { device: router.device, group: target });
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'next-boot' });
    expect(router.operations).toEqual([]);
    await router.boot();
    await fixture.awaitRequests(router, 1);
  });

  test('GRP-10-partial for the next boot, a boot before the rollout was resumed does not start it', async () => {
    const router = await one();
    await router.connect();
    const rollout = await fixture.bind('config', group, await fixture.config('resume.cfg'), { schedule: 'bootup' });
    await fixture.control(rollout.id, 'pause');
    await router.boot();
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'paused' });
    await fixture.control(rollout.id, 'resume');
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'next-boot' });
    expect(router.operations).toEqual([]);
    await router.boot();
    await fixture.awaitRequests(router, 1);
  });

  test('GRP-10-partial for the next boot, a router that the canary lets follow, and one that is retried, wait for their own next boot', async () => {
    group = await fixture.group();
    const routers = await fixture.routers(group, 2);
    for (const router of routers) await router.connect();
    const rollout = await fixture.bind('config', group, await fixture.config('follow.cfg'), { schedule: 'bootup', canaries: 1 });
    for (const router of routers) await router.boot();
    const begun = () => routers.filter(({ operations }) => operations.length > 0);
    await expect.poll(() => begun().length).toBe(1);
    const [canary] = begun() as [GroupRouter];
    const other = routers.find((router) => router !== canary)!;
    await fixture.becomes(rollout, other, { state: 'waiting', reason: 'canaries-first' });
    await canary.complete(canary.operations[0]!, { message: 'DownloadFailed' });
    await fixture.becomes(rollout, canary, { state: 'failed' });
    await fixture.control(rollout.id, 'retry');
    await fixture.becomes(rollout, canary, { state: 'waiting', reason: 'next-boot' });
    await canary.boot();
    await fixture.awaitRequests(canary, 2);
    canary.set('Device.DeviceInfo.VendorConfigFile.1.Name', 'follow.cfg');
    await canary.complete(canary.operations[1]!);
    await fixture.becomes(rollout, canary, { state: 'successful' });
    await fixture.becomes(rollout, other, { state: 'waiting', reason: 'next-boot' });
    expect([canary.operations.length, other.operations.length]).toEqual([2, 0]);
    await other.boot();
    await fixture.awaitRequests(other, 1);
  });

  test('GRP-10-partial a version that is a date is not one of our checksums: the restored file counts', async () => {
    const router = await one();
    router.set('Device.DeviceInfo.VendorConfigFile.1.Version', '20261122');
    await router.connect();
    const rollout = await fixture.bind('config', group, await fixture.config('dated.cfg'));
    await fixture.awaitRequests(router, 1);
    router.set('Device.DeviceInfo.VendorConfigFile.1.Name', 'dated.cfg');
    await router.complete(router.operations[0]!);
    await fixture.becomes(rollout, router, { state: 'successful' });
    expect(await successful()).toBe('1/1');
  });

  test('GRP-10-partial a router that reports other contents than were restored is not successful', async () => {
    const router = await one();
    await router.connect();
    const rollout = await fixture.bind('config', group, await fixture.config('lie.cfg'));
    await fixture.awaitRequests(router, 1);
    router.set('Device.DeviceInfo.VendorConfigFile.1.Name', 'lie.cfg');
    router.set('Device.DeviceInfo.VendorConfigFile.1.X_HIGHLINE_SHA256', '01'.repeat(32));
    await router.complete(router.operations[0]!);
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'not-in-force' });
    expect(await successful()).toBe('0/1');
  });

  test('GRP-10-partial firmware goes first when both are bound, one step at a time', async () => {
    const router = await one();
    const { label, pk } = await newFirmware();
    const firmware = await fixture.bind('firmware', group, pk);
    const config = await fixture.bind('config', group, await fixture.config('both.cfg'));
    await router.connect();
    await fixture.awaitRequests(router, 1);
    expect(router.operations[0]!.command).toContain('FirmwareImage');
    await fixture.becomes(config, router, { state: 'waiting', reason: 'queued' });
    await router.complete(router.operations[0]!);
    await router.boot(label);
    await fixture.becomes(firmware, router, { state: 'successful' });
    await fixture.awaitRequests(router, 2);
    expect(router.operations[1]!.command).toContain('VendorConfigFile');
  });
});
