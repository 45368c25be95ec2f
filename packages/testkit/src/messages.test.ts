import { describe, expect, it } from 'vitest';
import type { IndependentValue } from './codec.ts';
import type { Controller } from './testing/controller.ts';
import { adding, outcomeOf, settings, subjects, SUBSCRIPTIONS, subscription } from './testing/subject.ts';
import type { Traits } from './traits.ts';

const begin = subjects();

async function connected(more: Partial<Traits> = {}): Promise<Controller> {
  const { agent, controller } = await begin(more);
  agent.powerOn();
  await expect.poll(() => controller.introductions.length).toBe(1);
  return controller;
}

async function get(controller: Controller, ...paramPaths: string[]): Promise<IndependentValue[]> {
  const { value } = await controller.ask('get', { paramPaths, maxDepth: 0 });
  return value['reqPathResults'] as IndependentValue[];
}

const onlyPart = (value: IndependentValue, name: string) => outcomeOf((value[name] as unknown[])[0]);

describe('a strict agent connects', () => {
  it('with v1.usp and a connect record of its own id, whatever scheme that has', async () => {
    for (const endpointId of [
      'os::00AA55-STRICT-1',
      'ops::00AA55-SX-40-STRICT-1',
      'uuid::0b8f1f0e-9c3b-4a2f-9f39-6d0d4d6c9a01',
    ]) {
      const controller = await connected({ endpointId });
      expect(controller.protocols).toEqual(['v1.usp']);
      expect(controller.introductions[0]).toMatchObject({ type: 'websocketConnect', fromId: endpointId, toId: controller.id });
    }
  });

  it('answers one request at a time, and leaves a concurrent second one unanswered', async () => {
    const { agent, controller } = await begin();
    agent.powerOn();
    await expect.poll(() => controller.introductions.length).toBe(1);
    const first = controller.ask('get', { paramPaths: ['Device.DeviceInfo.'] });
    void controller.ask('get', { paramPaths: ['Device.Time.'] });
    expect((await first).name).toBe('getResp');
    expect(agent.count('overlap')).toBe(1);
  });
});

describe('Get', () => {
  it('rejects unsupported paths with 7026 or 7010, a deleted instance with 7016 and invalid paths with 7008', async () => {
    const controller = await connected();
    const paths = ['Device.X_HIGHLINE_Vehicle.', 'Device.DeviceInfo.Nonsense', `${SUBSCRIPTIONS}9.ID`, 'DeviceInfo..'];
    expect((await get(controller, ...paths)).map(({ errCode }) => errCode)).toEqual([7026, 7010, 7016, 7008]);
  });

  it('answers an empty table, a wildcard without a match and a search, each object separately', async () => {
    const controller = await connected();
    const found = await get(
      controller,
      SUBSCRIPTIONS,
      'Device.BulkData.Profile.*.Name',
      'Device.LocalAgent.Controller.[EndpointID=="self::highline"].Enable',
      'Device.Cellular.',
    );
    const paths = found.map(({ errCode, resolvedPathResults }) => [
      errCode,
      (resolvedPathResults as IndependentValue[]).map(({ resolvedPath }) => resolvedPath),
    ]);
    const modem = 'Device.Cellular.Interface.1.';
    expect(paths).toEqual([
      [0, []],
      [0, []],
      [0, ['Device.LocalAgent.Controller.2.']],
      [0, ['Device.Cellular.', modem, `${modem}USIM.`, `${modem}Stats.`]],
    ]);
  });

  it('goes as deep as requested', async () => {
    const controller = await connected();
    const { value } = await controller.ask('get', { paramPaths: ['Device.Cellular.'], maxDepth: 1 });
    expect((value['reqPathResults'] as IndependentValue[])[0]!['resolvedPathResults']).toHaveLength(1);
  });
});

describe('GetSupportedDM', () => {
  const asking = { returnCommands: true, returnEvents: true, returnParams: true, returnUniqueKeySets: true };

  it('lists supported objects, with read-only parameters and unique keys, and rejects unsupported ones', async () => {
    const controller = await connected();
    const objPaths = [`${SUBSCRIPTIONS}{i}.`, 'Device.BulkData.Profile.{i}.', 'Device.X_HIGHLINE_Vehicle.'];
    const { value } = await controller.ask('getSupportedDm', { objPaths, firstLevelOnly: true, ...asking });
    const [subscriptions, profiles, vehicle] = value['reqObjResults'] as IndependentValue[];
    const object = (subscriptions!['supportedObjs'] as IndependentValue[])[0]!;
    expect((object['uniqueKeySets'] as IndependentValue[]).map(({ keyNames }) => keyNames)).toEqual([
      ['Alias'],
      ['ID', 'Recipient'],
    ]);
    const recipient = (object['supportedParams'] as IndependentValue[]).find(({ paramName }) => paramName === 'Recipient');
    expect(recipient).toMatchObject({ access: 0 });
    const [profile, ...below] = profiles!['supportedObjs'] as IndependentValue[];
    expect(profile).toMatchObject({ supportedCommands: [], supportedEvents: [{ eventName: 'Push!' }] });
    expect(below.map(({ supportedParams }) => supportedParams)).toEqual([[], []]);
    expect(vehicle!['errCode']).toBe(7026);
  });
});

describe('Add', () => {
  it('fills in the recipient by itself and reports the unique keys', async () => {
    const controller = await connected();
    const { value } = await controller.ask('add', subscription('boot', 'Event', 'Device.Boot!'));
    const uniqueKeys = { Alias: 'cpe-1', ID: 'boot', Recipient: 'Device.LocalAgent.Controller.2' };
    expect(onlyPart(value, 'createdObjResults')).toMatchObject({
      case: 'operSuccess',
      value: { instantiatedPath: `${SUBSCRIPTIONS}1.`, paramErrs: [], uniqueKeys },
    });
    const [recipient] = await get(controller, `${SUBSCRIPTIONS}1.Recipient`);
    expect(recipient).toMatchObject({ resolvedPathResults: [{ resultParams: { Recipient: uniqueKeys.Recipient } }] });
  });

  it('that sets the recipient fails with 7013 although it is not marked as required', async () => {
    const controller = await connected();
    const request = subscription('boot', 'Event', 'Device.Boot!');
    const [object] = request['createObjs'] as { paramSettings: IndependentValue[] }[];
    object!.paramSettings.push({ param: 'Recipient', value: 'Device.LocalAgent.Controller.2', required: false });
    const { value } = await controller.ask('add', request);
    expect(onlyPart(value, 'createdObjResults')).toMatchObject({ case: 'operFailure', value: { errCode: 7013 } });
    expect(await get(controller, SUBSCRIPTIONS)).toMatchObject([{ resolvedPathResults: [] }]);
  });

  it('rejects a second subscription with the same keys, an unsupported reference and an invalid table', async () => {
    const controller = await connected({ hasBulkData: false });
    await controller.ask('add', subscription('boot', 'Event', 'Device.Boot!'));
    const failures = [];
    for (const request of [
      subscription('boot', 'Event', 'Device.LocalAgent.Periodic!'),
      subscription('push', 'Event', 'Device.BulkData.Profile.*.Push!'),
      adding('Device.BulkData.Profile.', []),
      adding('Device.DeviceInfo.', []),
      adding('Device.LocalAgent.Controller.', []),
    ])
      failures.push(onlyPart((await controller.ask('add', request)).value, 'createdObjResults').value['errCode']);
    expect(failures).toEqual([7025, 7012, 7026, 7018, 7019]);
  });

  it('succeeds with parameter errors when optional settings fail, and fails when required ones do', async () => {
    const controller = await connected();
    const retained = { NumberOfRetainedFailedReports: '120' };
    const lenient = adding('Device.BulkData.Profile.', settings(retained, false));
    const made = onlyPart((await controller.ask('add', lenient)).value, 'createdObjResults');
    const paramErrs = [{ param: 'NumberOfRetainedFailedReports', errCode: 7012 }];
    expect(made).toMatchObject({ case: 'operSuccess', value: { paramErrs } });
    const strict = adding('Device.BulkData.Profile.', settings(retained));
    const rejected = onlyPart((await controller.ask('add', strict)).value, 'createdObjResults');
    expect(rejected).toMatchObject({ case: 'operFailure', value: { errCode: 7012 } });
    expect((await get(controller, 'Device.BulkData.Profile.*.Name'))[0]!['resolvedPathResults']).toHaveLength(1);
  });

  it('without allow_partial creates all objects or none', async () => {
    const controller = await connected();
    const good = { objPath: 'Device.BulkData.Profile.', paramSettings: settings({ Name: 'a' }) };
    const bad = { objPath: 'Device.BulkData.Profile.', paramSettings: settings({ Nonsense: 'a' }) };
    const response = await controller.ask('add', { allowPartial: false, createObjs: [good, bad] });
    const paramErrs = [{ paramPath: 'Device.BulkData.Profile.Nonsense', errCode: 7010 }];
    expect(response).toMatchObject({ kind: 'error', value: { errCode: 7004, paramErrs } });
    expect(await get(controller, 'Device.BulkData.Profile.')).toMatchObject([{ resolvedPathResults: [] }]);
  });
});

describe('Set and Delete', () => {
  it('reject read-only parameters, wrong types, values out of range and objects that cannot be deleted', async () => {
    const controller = await connected();
    await controller.ask('add', subscription('boot', 'Event', 'Device.Boot!'));
    const errors = async (objPath: string, values: Record<string, string>) => {
      const { value } = await controller.ask('set', {
        allowPartial: true,
        updateObjs: [{ objPath, paramSettings: settings(values) }],
      });
      const failure = onlyPart(value, 'updatedObjResults');
      expect(failure).toMatchObject({ case: 'operFailure', value: { errCode: 7021 } });
      return (failure.value['updatedInstFailures'] as { paramErrs: IndependentValue[] }[])[0]!.paramErrs[0]!['errCode'];
    };
    const codes = [
      await errors('Device.DeviceInfo.', { SoftwareVersion: '2' }),
      await errors(`${SUBSCRIPTIONS}1.`, { Recipient: 'Device.LocalAgent.Controller.1' }),
      await errors(`${SUBSCRIPTIONS}1.`, { ReferenceList: 'Device.' }),
      await errors('Device.BulkData.', { Enable: 'maybe' }),
      await errors('Device.LocalAgent.Controller.2.', { PeriodicNotifInterval: '0' }),
      await errors('Device.DeviceInfo.', { X_HIGHLINE_Name: 'a' }),
    ];
    expect(codes).toEqual([7013, 7013, 7013, 7011, 7012, 7010]);
    const { value } = await controller.ask('delete', { allowPartial: true, objPaths: ['Device.LocalAgent.Controller.1.'] });
    expect(onlyPart(value, 'deletedObjResults')).toMatchObject({ case: 'operFailure', value: { errCode: 7024 } });
  });

  it('without required apply the other parameters; without allow_partial revert everything', async () => {
    const controller = await connected();
    const mixed = [...settings({ FriendlyName: 'Bus 7' }), ...settings({ UpTime: '0' }, false)];
    const { value } = await controller.ask('set', {
      allowPartial: false,
      updateObjs: [{ objPath: 'Device.DeviceInfo.', paramSettings: mixed }],
    });
    const affected = { updatedParams: { FriendlyName: 'Bus 7' }, paramErrs: [{ param: 'UpTime', errCode: 7013 }] };
    expect(onlyPart(value, 'updatedObjResults')).toMatchObject({
      case: 'operSuccess',
      value: { updatedInstResults: [affected] },
    });
    const rejected = await controller.ask('set', {
      allowPartial: false,
      updateObjs: [
        { objPath: 'Device.DeviceInfo.', paramSettings: settings({ FriendlyName: 'Bus 8' }) },
        { objPath: 'Device.Time.', paramSettings: settings({ CurrentLocalTime: '0001-01-01T00:00:00Z' }) },
      ],
    });
    expect(rejected.kind).toBe('error');
    expect(await get(controller, 'Device.DeviceInfo.FriendlyName')).toMatchObject([
      { resolvedPathResults: [{ resultParams: { FriendlyName: 'Bus 7' } }] },
    ]);
  });
});

describe('Operate', () => {
  const operate = async (controller: Controller, command: string, inputArgs: Record<string, string> = {}) =>
    controller.ask('operate', { command, commandKey: 'key', sendResp: true, inputArgs });
  const failureOf = (value: IndependentValue) => {
    const [result] = value['operationResults'] as { one: { case: string; value: IndependentValue } }[];
    return result === undefined ? undefined : (result.one.value['errCode'] ?? result.one.case);
  };

  it('rejects unknown commands and unknown arguments', async () => {
    const controller = await connected();
    const slot = 'Device.DeviceInfo.FirmwareImage.2.';
    const outcomes = [
      await operate(controller, 'Device.X_HIGHLINE_Identify()', { Seconds: '3' }),
      await operate(controller, 'Device.BulkData.Profile.*.ForceCollection()'),
      await operate(controller, 'Device.UserInterface.PasswordReset()'),
      await operate(controller, 'Device.DeviceInfo.FirmwareImage.7.Download()', { URL: 'http://127.0.0.1:1/' }),
      await operate(controller, `${slot}Download()`),
      await operate(controller, `${slot}Download()`, { URL: 'http://127.0.0.1:1/', X_HIGHLINE_Signature: 'a' }),
      await operate(controller, 'Device.LocalAgent.Request.*.Cancel()'),
    ];
    expect(outcomes.map(({ value }) => failureOf(value))).toEqual([7026, 7026, 7026, 7016, 7027, 7027, undefined]);
  });

  it('reports that by an Error message if configured', async () => {
    const controller = await connected({ rejectsCommandsBy: 'error' });
    const response = await operate(controller, 'Device.X_HIGHLINE_Identify()');
    const paramErrs = [{ paramPath: 'Device.X_HIGHLINE_Identify()', errCode: 7026 }];
    expect(response).toMatchObject({ kind: 'error', value: { errCode: 7004, paramErrs } });
  });

  it('resets its password only if it supports that', async () => {
    const { agent, controller } = await begin({ hasPasswordReset: true });
    agent.powerOn();
    await expect.poll(() => controller.introductions.length).toBe(1);
    expect(failureOf((await operate(controller, 'Device.UserInterface.PasswordReset()')).value)).toBe('reqOutputArgs');
    expect(agent.commands).toEqual(['Device.UserInterface.PasswordReset()']);
  });
});
