import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startStrictProcess } from './strict-process.ts';
import type { Controller } from './testing/controller.ts';
import { adding, settings, subjects, subscription, type Subject } from './testing/subject.ts';
import type { Traits } from './traits.ts';

const begin = subjects();
const SLOT = 'Device.DeviceInfo.FirmwareImage.2.';
const image = (version: string) => Buffer.from(`STRICT-IMAGE ${version}\n${'x'.repeat(50_000)}`);

async function connected(more: Partial<Traits> = {}): Promise<Subject> {
  const subject = await begin(more);
  subject.agent.powerOn();
  await expect.poll(() => subject.controller.introductions.length).toBe(1);
  return subject;
}

const subscribe = (controller: Controller, ...parameters: Parameters<typeof subscription>) =>
  controller.ask('add', subscription(...parameters));

async function subscribeToAll(controller: Controller): Promise<void> {
  await subscribe(controller, 'boot', 'Event', 'Device.Boot!');
  await subscribe(controller, 'ends', 'OperationComplete', 'Device.');
  await subscribe(controller, 'transfers', 'Event', 'Device.LocalAgent.TransferComplete!');
}

function download(controller: Controller, more: Record<string, string> = {}, command = `${SLOT}Download()`) {
  const inputArgs = {
    URL: `http://${controller.address}/file`,
    Username: 'router',
    Password: 'p:w',
    FileSize: String(controller.file.length),
    CheckSumAlgorithm: 'SHA-256',
    CheckSum: createHash('sha256').update(controller.file).digest('hex'),
    ...more,
  };
  return controller.ask('operate', { command, commandKey: 'step', sendResp: true, inputArgs });
}

const endOf = (controller: Controller, name = 'Download()') => controller.of('operComplete', name)[0]?.value['one'];

describe('notifications', () => {
  it('are sent to subscribers only, and again under the same id until they are answered', async () => {
    const { agent, controller } = await connected();
    agent.change('Device.Cellular.Interface.1.NetworkInUse', 'T-Mobile');
    await subscribe(controller, 'modem', 'ValueChange', 'Device.Cellular.Interface.*.NetworkInUse');
    controller.isResponding = false;
    agent.change('Device.Cellular.Interface.1.NetworkInUse', 'Verizon');
    const seen = () => controller.of('valueChange', 'Device.Cellular.Interface.1.NetworkInUse');
    await expect.poll(() => controller.repetitions.length).toBeGreaterThan(1);
    expect(seen()).toHaveLength(1);
    expect(new Set(controller.repetitions)).toEqual(new Set([seen()[0]!.msgId]));
    expect(seen()[0]).toMatchObject({ subscriptionId: 'modem', sendResp: true, value: { paramValue: 'Verizon' } });
    controller.isResponding = true;
    await expect.poll(() => agent.unacknowledged).toBe(0);
  });

  it('without NotifRetry request no answer', async () => {
    const { agent, controller } = await connected();
    await subscribe(controller, 'modem', 'ValueChange', 'Device.Cellular.', { NotifRetry: 'false' });
    agent.change('Device.Cellular.Interface.1.RSSI', '-90');
    await expect.poll(() => controller.notifications).toMatchObject([{ sendResp: false }]);
    expect(agent.unacknowledged).toBe(0);
  });

  it('of a boot are sent only if subscribed, and a subscription that is not persistent ends with it', async () => {
    const { agent, controller } = await connected();
    agent.reboot();
    await expect.poll(() => controller.introductions.length).toBe(2);
    await subscribe(controller, 'boot', 'Event', 'Device.Boot!', { Persistent: 'false' });
    agent.reboot();
    await expect.poll(() => controller.introductions.length).toBe(3);
    expect(agent.subscriptions).toEqual([]);
    await subscribe(controller, 'boot', 'Event', 'Device.Boot!');
    await controller.ask('operate', { command: 'Device.Reboot()', commandKey: 'why', sendResp: true });
    await expect
      .poll(() => controller.of('event', 'Boot!'))
      .toMatchObject([{ value: { params: { Cause: 'RemoteReboot', CommandKey: 'why' } } }]);
    expect(controller.notifications).toHaveLength(1);
  });

  it('carry bulk data in the format and at the times of the profile', async () => {
    const { controller } = await connected();
    await subscribe(controller, 'push', 'Event', 'Device.BulkData.Profile.*.Push!');
    await subscribe(controller, 'heartbeat', 'Event', 'Device.LocalAgent.Periodic!');
    await controller.ask('set', {
      updateObjs: [{ objPath: 'Device.LocalAgent.Controller.2.', paramSettings: settings({ PeriodicNotifInterval: '1' }) }],
    });
    const profile = 'Device.BulkData.Profile.1.';
    await controller.ask('add', adding('Device.BulkData.Profile.', settings({ Enable: 'true', ReportingInterval: '1' })));
    await controller.ask('add', adding(`${profile}Parameter.`, settings({ Reference: 'Device.Cellular.Interface.*.RSSI' })));
    await controller.ask('set', {
      updateObjs: [
        { objPath: `${profile}JSONEncoding.`, paramSettings: settings({ ReportFormat: 'NameValuePair' }) },
        { objPath: 'Device.BulkData.', paramSettings: settings({ Enable: 'true' }) },
      ],
    });
    await expect.poll(() => controller.of('event', 'Push!').length).toBeGreaterThan(0);
    const { Data } = controller.of('event', 'Push!')[0]!.value['params'] as { Data: string };
    const report = { CollectionTime: expect.any(Number) as number, 'Device.Cellular.Interface.1.RSSI': -73 };
    expect(JSON.parse(Data)).toEqual({ Report: [report] });
    await expect.poll(() => controller.of('event', 'Periodic!').length).toBeGreaterThan(0);
  });
});

describe('a firmware image', () => {
  it('is downloaded with its credentials, verified, reported and started', async () => {
    const { agent, controller } = await connected();
    await subscribeToAll(controller);
    await subscribe(controller, 'progress', 'ValueChange', 'Device.DeviceInfo.FirmwareImage.*.Status');
    controller.file = image('2.0.0');
    const { value } = await download(controller, { AutoActivate: 'true' });
    expect(value).toMatchObject({ operationResults: [{ one: { case: 'reqObjPath', value: 'Device.LocalAgent.Request.1.' } }] });
    await expect.poll(() => agent.value('Device.DeviceInfo.SoftwareVersion')).toBe('2.0.0');
    expect(endOf(controller)).toMatchObject({ case: 'reqOutputArgs' });
    expect(controller.of('event', 'TransferComplete!')).toMatchObject([
      { value: { params: { FaultCode: '0', CommandKey: 'step' } } },
    ]);
    expect(controller.of('valueChange', `${SLOT}Status`).map(({ value: { paramValue } }) => paramValue)).toEqual([
      'Downloading',
      'Validating',
      'Available',
    ]);
    expect(controller.authorizations).toEqual([`Basic ${Buffer.from('router:p:w').toString('base64')}`]);
    await expect.poll(() => controller.of('event', 'Boot!')).toMatchObject([{ value: { params: { FirmwareUpdated: 'true' } } }]);
    expect(agent.value('Device.DeviceInfo.ActiveFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.2');
  });

  it.each([
    ['a wrong checksum', { CheckSum: '00' }, 'ValidationFailed'],
    ['a wrong size', { FileSize: '7' }, 'ValidationFailed'],
    ['an unreachable address', { URL: 'http://127.0.0.1:1/' }, 'DownloadFailed'],
  ])('with %s is rejected by 7022', async (_, args, status) => {
    const { agent, controller } = await connected();
    await subscribeToAll(controller);
    controller.file = image('2.0.0');
    await download(controller, { AutoActivate: 'true', ...args });
    await expect.poll(() => endOf(controller)).toMatchObject({ case: 'cmdFailure', value: { errCode: 7022 } });
    expect(agent.value(`${SLOT}Status`)).toBe(status);
    expect(agent.value('Device.DeviceInfo.BootFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.1');
  });

  it('is started by the next boot if it was chosen', async () => {
    const { agent, controller } = await connected();
    await subscribeToAll(controller);
    controller.file = image('2.0.0');
    const boot = { objPath: 'Device.DeviceInfo.', paramSettings: settings({ BootFirmwareImage: SLOT.slice(0, -1) }) };
    await download(controller);
    await expect.poll(() => agent.value(`${SLOT}Status`)).toBe('Available');
    await controller.ask('set', { updateObjs: [boot] });
    agent.reboot();
    await expect.poll(() => agent.value('Device.DeviceInfo.SoftwareVersion')).toBe('2.0.0');
  });

  it('whose transfer was interrupted by a power cut is reported with 7022 after the start, and downloaded when requested again', async () => {
    const { agent, controller } = await connected({ stallAfterBytes: 1 });
    await subscribeToAll(controller);
    controller.file = image('2.0.0');
    await download(controller, { AutoActivate: 'true' });
    await expect.poll(() => agent.count('stalled')).toBe(1);
    expect(
      await controller.ask('operate', { command: `${SLOT}Download()`, sendResp: true, inputArgs: { URL: 'http://x/' } }),
    ).toMatchObject({
      value: { operationResults: [{ one: { value: { errCode: 7005 } } }] },
    });
    agent.cutPower();
    agent.powerOn();
    await expect.poll(() => endOf(controller)).toMatchObject({ case: 'cmdFailure', value: { errCode: 7022 } });
    expect(controller.of('operComplete', 'Download()')[0]!.value['commandKey']).toBe('step');
    await download(controller, { AutoActivate: 'true' });
    await expect.poll(() => agent.value('Device.DeviceInfo.SoftwareVersion')).toBe('2.0.0');
  });
});

describe('a config file', () => {
  it('is restored under its name, with a date as version set by the agent', async () => {
    const { agent, controller } = await connected();
    await subscribeToAll(controller);
    controller.file = Buffer.from('apn = fleet\n');
    await download(controller, { TargetFileName: 'fleet.cfg' }, 'Device.DeviceInfo.VendorConfigFile.1.Restore()');
    await expect.poll(() => endOf(controller, 'Restore()')).toMatchObject({ case: 'reqOutputArgs' });
    expect(agent.value('Device.DeviceInfo.VendorConfigFile.1.Name')).toBe('fleet.cfg');
    expect(agent.value('Device.DeviceInfo.VendorConfigFile.1.Version')).toBe('20261122');
  });
});

describe('a factory reset', () => {
  it('deletes what a controller set up and keeps the firmware, without a notification', async () => {
    const { agent, controller } = await connected();
    await subscribeToAll(controller);
    await controller.ask('add', adding('Device.BulkData.Profile.', settings({ Name: 'a' })));
    controller.file = image('2.0.0');
    await download(controller, { AutoActivate: 'true' });
    await expect.poll(() => controller.of('event', 'Boot!').length).toBe(1);
    await controller.ask('operate', { command: 'Device.FactoryReset()', commandKey: '', sendResp: true });
    await expect.poll(() => controller.introductions.length).toBe(3);
    expect(agent.subscriptions).toEqual([]);
    expect(agent.value('Device.BulkData.Profile.1.Name')).toBeUndefined();
    expect(agent.value('Device.DeviceInfo.SoftwareVersion')).toBe('2.0.0');
    expect(controller.of('event', 'Boot!')).toHaveLength(1);
  });
});

describe('as a process', () => {
  it('keeps its configuration over kill -9', async () => {
    const { controller, choice } = await begin({ firmware: '' });
    let strict = startStrictProcess(choice);
    await strict.happened('connected');
    await expect.poll(() => controller.introductions.length).toBe(1);
    await subscribe(controller, 'boot', 'Event', 'Device.Boot!');
    await strict.kill();
    strict = startStrictProcess(choice);
    await expect.poll(() => controller.of('event', 'Boot!')).toMatchObject([{ value: { params: { Cause: 'LocalReboot' } } }]);
    strict.order({ do: 'change', path: 'Device.Cellular.Interface.1.RSSI', value: '-99' });
    await expect
      .poll(async () => (await controller.ask('get', { paramPaths: ['Device.Cellular.Interface.1.RSSI'] })).value)
      .toMatchObject({ reqPathResults: [{ resolvedPathResults: [{ resultParams: { RSSI: '-99' } }] }] });
    await strict.kill();
  });
});
