import type { AddStatus, ObjectSettings, SetStatus, UspBody } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import { type BareRouter, createBareRouter, valuesOf } from '../testing/view.ts';
import { type RunCommand, DONE, type ObjectDef } from './definition.ts';

const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';

/** Settings; those with a '!' are required. */
function settings(objPath: string, values: { [param: string]: string }): ObjectSettings {
  const paramSettings = Object.entries(values).map(([name, value]) => ({
    param: name.replace('!', ''),
    value,
    required: name.endsWith('!'),
  }));
  return { objPath, paramSettings };
}

function add(router: BareRouter, objPath: string, values: { [param: string]: string } = {}): AddStatus {
  const body = router.request({ type: 'add', allowPartial: true, createObjs: [settings(objPath, values)] });
  if (body.type !== 'add_resp') throw new Error(JSON.stringify(body));
  return body.createdObjResults[0]!.operStatus;
}

function set(router: BareRouter, objPath: string, values: { [param: string]: string }): SetStatus {
  const body = router.request({ type: 'set', allowPartial: true, updateObjs: [settings(objPath, values)] });
  if (body.type !== 'set_resp') throw new Error(JSON.stringify(body));
  return body.updatedObjResults[0]!.operStatus;
}

function read(router: BareRouter, path: string): string | number | undefined {
  return Object.values(valuesOf(router.request({ type: 'get', paramPaths: [path], maxDepth: 0 })))[0];
}

describe('Add', () => {
  it('creates an instance with its unique keys, the given values and defaults for the rest', () => {
    const router = createBareRouter();
    const status = add(router, SUBSCRIPTIONS, {
      'ID!': 'boot',
      'NotifType!': 'Event',
      ReferenceList: 'Device.Boot!',
      Enable: '1',
    });
    expect(status).toEqual({
      type: 'oper_success',
      instantiatedPath: `${SUBSCRIPTIONS}1.`,
      paramErrs: [],
      uniqueKeys: new Map([
        ['Alias', 'cpe-1'],
        ['Recipient', 'Device.LocalAgent.Controller.1'],
        ['ID', 'boot'],
      ]),
    });
    expect(read(router, `${SUBSCRIPTIONS}1.Enable`)).toBe('true');
    expect(read(router, `${SUBSCRIPTIONS}1.CreationDate`)).toBe('2026-01-01T00:00:00Z');
    expect(read(router, 'Device.LocalAgent.SubscriptionNumberOfEntries')).toBe('1');
  });

  it('a number is never reused', () => {
    const router = createBareRouter();
    add(router, SUBSCRIPTIONS, { ID: 'a' });
    router.request({ type: 'delete', allowPartial: false, objPaths: [`${SUBSCRIPTIONS}1.`] });
    expect(add(router, SUBSCRIPTIONS, { ID: 'b' })).toMatchObject({ instantiatedPath: `${SUBSCRIPTIONS}2.` });
  });

  it.each([
    [SUBSCRIPTIONS, { 'NotifType!': 'Nonsense' }, 7021],
    [SUBSCRIPTIONS, { 'Nothing!': 'x' }, 7021],
    ['Device.Cellular.Interface.', {}, 7019],
    ['Device.DeviceInfo.', {}, 7018],
    ['Device.Nothing.', {}, 7018],
    ['Device.BulkData.Profile.7.Parameter.', {}, 7016],
  ])('%s with %j fails with %i and changes nothing', (objPath, values, errCode) => {
    const router = createBareRouter();
    expect(add(router, objPath, values)).toMatchObject({ type: 'oper_failure', errCode });
    expect(router.rowStore.rows()).toEqual({});
  });

  it('a parameter that is not required may fail alone', () => {
    const status = add(createBareRouter(), SUBSCRIPTIONS, {
      NotifType: 'Nonsense',
      Nothing: 'x',
      CreationDate: '2026-01-01T00:00:00Z',
    });
    expect(status).toMatchObject({
      type: 'oper_success',
      paramErrs: [
        { param: 'NotifType', errCode: 7012 },
        { param: 'Nothing', errCode: 7010 },
        { param: 'CreationDate', errCode: 7013 },
      ],
    });
  });

  it.each([
    ['Recipient', 'Device.LocalAgent.Controller.1', 7013],
    ['ID', 'x'.repeat(65), 7012],
  ])('a parameter of a unique key counts as required: %s = %s fails the whole object with %i', (param, value, errCode) => {
    const router = createBareRouter();
    expect(add(router, SUBSCRIPTIONS, { ID: 'boot', [param]: value })).toMatchObject({ type: 'oper_failure', errCode });
    expect(router.rowStore.rows()).toEqual({});
  });

  it('a second object with the same unique key is rejected, also within one message', () => {
    const router = createBareRouter();
    const createObjs = [settings(SUBSCRIPTIONS, { ID: 'same' }), settings(SUBSCRIPTIONS, { ID: 'same' })];
    const body = router.request({ type: 'add', allowPartial: true, createObjs });
    expect(body.type === 'add_resp' && body.createdObjResults.map(({ operStatus }) => operStatus)).toMatchObject([
      { type: 'oper_success' },
      { type: 'oper_failure', errCode: 7025 },
    ]);
  });

  it('without allow_partial one failure reverts the whole message', () => {
    const router = createBareRouter();
    const createObjs = [settings(SUBSCRIPTIONS, { ID: 'good' }), settings('Device.Cellular.Interface.', {})];
    expect(router.request({ type: 'add', allowPartial: false, createObjs })).toMatchObject({
      type: 'error',
      errCode: 7004,
      paramErrs: [{ paramPath: 'Device.Cellular.Interface.', errCode: 7019 }],
    });
    expect(router.rowStore.rows()).toEqual({});
  });

  it('a full table accepts no more', () => {
    const router = createBareRouter();
    for (let n = 0; n < 5; n++) expect(add(router, 'Device.BulkData.Profile.').type).toBe('oper_success');
    expect(add(router, 'Device.BulkData.Profile.')).toMatchObject({ type: 'oper_failure', errCode: 7005 });
  });
});

describe('Set', () => {
  it('changes a value, normalized to TR-106', () => {
    const router = createBareRouter();
    const status = set(router, 'Device.LocalAgent.Controller.1.', { PeriodicNotifInterval: '0060' });
    expect(status).toMatchObject({
      type: 'oper_success',
      updatedInstResults: [
        { affectedPath: 'Device.LocalAgent.Controller.1.', updatedParams: new Map([['PeriodicNotifInterval', '60']]) },
      ],
    });
    expect(read(router, 'Device.LocalAgent.Controller.1.PeriodicNotifInterval')).toBe('60');
  });

  it('only the agent sets the recipient of a subscription', () => {
    const router = createBareRouter();
    add(router, SUBSCRIPTIONS, { ID: 'a' });
    const recipient = { 'Recipient!': 'Device.LocalAgent.Controller.2' };
    expect(set(router, `${SUBSCRIPTIONS}1.`, recipient)).toMatchObject({ type: 'oper_failure', errCode: 7021 });
    expect(read(router, `${SUBSCRIPTIONS}1.Recipient`)).toBe('Device.LocalAgent.Controller.1');
  });

  it('changes all instances of a wildcard', () => {
    const router = createBareRouter();
    add(router, SUBSCRIPTIONS, { ID: 'a' });
    add(router, SUBSCRIPTIONS, { ID: 'b' });
    const status = set(router, `${SUBSCRIPTIONS}*.`, { Enable: 'true' });
    expect(status.type === 'oper_success' && status.updatedInstResults).toHaveLength(2);
  });

  it.each([
    ['Device.DeviceInfo.', { 'SerialNumber!': 'x' }, 7021],
    ['Device.DeviceInfo.', { '__proto__!': 'x' }, 7021],
    ['Device.LocalAgent.Controller.1.', { 'PeriodicNotifInterval!': '-1' }, 7021],
    ['Device.LocalAgent.Controller.1.', { 'PeriodicNotifTime!': 'tomorrow' }, 7021],
    ['Device.Time.', { 'Enable!': '__proto__' }, 7021],
    ['Device.Nothing.', {}, 7026],
    ['Device.LocalAgent.Controller.2.', {}, 7016],
    [SUBSCRIPTIONS, { Enable: 'true' }, 7020],
  ])('%s with %j fails with %i and changes nothing', (objPath, values, errCode) => {
    const router = createBareRouter();
    expect(set(router, objPath, values)).toMatchObject({ type: 'oper_failure', errCode });
    expect(router.rowStore.rows()).toEqual({});
  });

  it('a state that cannot be written is answered with 7003, and the old values stay', () => {
    const router = createBareRouter();
    router.failSaves();
    const updateObjs = [settings('Device.DeviceInfo.', { FriendlyName: 'x' })];
    expect(router.request({ type: 'set', allowPartial: false, updateObjs })).toMatchObject({ type: 'error', errCode: 7003 });
    expect(read(router, 'Device.DeviceInfo.FriendlyName')).toBe('Bus 12');
  });
});

describe('Delete', () => {
  it('removes an instance with everything below it', () => {
    const router = createBareRouter();
    add(router, 'Device.BulkData.Profile.');
    add(router, 'Device.BulkData.Profile.1.Parameter.', { Reference: 'Device.DeviceInfo.UpTime' });
    const body = router.request({ type: 'delete', allowPartial: false, objPaths: ['Device.BulkData.Profile.*.'] });
    expect(body.type === 'delete_resp' && body.deletedObjResults[0]?.operStatus).toEqual({
      type: 'oper_success',
      affectedPaths: ['Device.BulkData.Profile.1.'],
      unaffectedPathErrs: [],
    });
    expect(router.rowStore.rows()).toEqual({});
  });

  it.each([
    ['Device.DeviceInfo.', 7024],
    ['Device.Cellular.Interface.1.', 7024],
    [`${SUBSCRIPTIONS}9.`, 7016],
    ['Device.Nothing.', 7026],
  ])('%s cannot be deleted: %i', (path, errCode) => {
    const body = createBareRouter().request({ type: 'delete', allowPartial: true, objPaths: [path] });
    expect(body.type === 'delete_resp' && body.deletedObjResults[0]?.operStatus).toMatchObject({ type: 'oper_failure', errCode });
  });
});

describe('Operate', () => {
  function operate(router: BareRouter, command: string, args: [string, string][] = []): UspBody {
    return router.request({ type: 'operate', command, commandKey: 'key', sendResp: true, inputArgs: new Map(args) });
  }

  it('runs a command with its key', () => {
    const router = createBareRouter();
    expect(operate(router, 'Device.FactoryReset()')).toMatchObject({
      operationResults: [{ result: { type: 'req_output_args' } }],
    });
    expect(router.effects).toEqual(['factory-reset key']);
  });

  it.each([
    ['Device.Explode()', [], 7022],
    ['Device.constructor()', [], 7022],
    ['Device.Nothing.Reboot()', [], 7026],
    ['Device.Reboot()', [['Speed', 'fast']], 7027],
  ] as [string, [string, string][], number][])('%s with %j fails with %i and does nothing', (command, args, errCode) => {
    const router = createBareRouter();
    expect(operate(router, command, args)).toMatchObject({ operationResults: [{ result: { type: 'cmd_failure', errCode } }] });
    expect(router.effects).toEqual([]);
  });

  it('an asynchronous command is answered with its Request object, and ends with its result or its fault', async () => {
    const asynchronous = (run: RunCommand['run']): RunCommand => ({ kind: 'CMD_ASYNC', inputs: [], outputs: [], run });
    const commands = {
      'Good()': asynchronous(async () => DONE),
      'Bad()': asynchronous(async () => {
        throw new Error('burnt');
      }),
    };
    const tool: ObjectDef = { path: 'Device.X_HIGHLINE_Test.', params: {}, commands };
    const router = createBareRouter([tool]);
    expect(operate(router, 'Device.X_HIGHLINE_Test.Good()')).toMatchObject({
      operationResults: [{ result: { type: 'req_obj_path', value: 'Device.LocalAgent.Request.1.' } }],
    });
    operate(router, 'Device.X_HIGHLINE_Test.Bad()');
    await new Promise((resolve) => setImmediate(resolve));
    expect(router.effects).toEqual([
      'begin Good()',
      'begin Bad()',
      'end {"type":"req_output_args","outputArgs":{}}',
      'end {"type":"cmd_failure","errCode":7022,"errMsg":"Error: burnt"}',
    ]);
  });
});

describe('other requests', () => {
  it('GetSupportedProtocol returns our versions', () => {
    expect(createBareRouter().request({ type: 'get_supported_protocol', controllerSupportedProtocolVersions: '1.3' })).toEqual({
      type: 'get_supported_protocol_resp',
      agentSupportedProtocolVersions: '1.2,1.3',
    });
  });

  it('an unsupported request is rejected with 7001', () => {
    expect(createBareRouter().request({ type: 'deregister', paths: [] })).toMatchObject({ type: 'error', errCode: 7001 });
  });
});
