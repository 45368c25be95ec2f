import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { decodeIndependentRecord } from '@highline/testkit/codec';
import { makeIccid } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import type { AgentOptions, AgentRequest, TestAgent } from '../../testing/agent.ts';
import { completeAgent, minimalAgent } from '../../testing/agent-models.ts';
import { eventually } from '../../testing/eventually.ts';
import { openGateways } from '../../testing/gateways.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let other: TestRouter;
const start = openGateways((given) => ({ fleet, router, other } = given));

/** Short intervals, so that polls and set-up retries run at once. */
const soon = { telemetrySeconds: 0.05, setUpRetryMs: 1, contactMs: 0, pingMs: 50 };
const RSSI = 'Device.Cellular.Interface.1.RSSI';
const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';

type Setting = { readonly param: string; readonly value: string };
type Rejects = (objPath: string, settings: ReadonlyMap<string, string>) => object | undefined;

/** Answer an Add or a Set with the rejections that `rejects` returns for its objects. */
function rejecting(rejects: Rejects): NonNullable<AgentOptions['respond']> {
  return (agent, { msgId, type, value }) => {
    if (type !== 'add' && type !== 'set') return false;
    const objects = (value[type === 'add' ? 'createObjs' : 'updateObjs'] ?? []) as {
      objPath: string;
      paramSettings: Setting[];
    }[];
    const results = objects.map(({ objPath, paramSettings }) => {
      const settings = new Map(paramSettings.map(({ param, value: text }) => [param, text]));
      const rejection = rejects(objPath, settings);
      return rejection && { requestedPath: objPath, operStatus: { one: { case: 'operFailure', value: rejection } } };
    });
    if (!results.some((result) => result !== undefined)) return false;
    const done = objects.map(({ objPath, paramSettings }, index) => results[index] ?? write(agent, type, objPath, paramSettings));
    if (type === 'add') agent.sendMessage(msgId, 'ADD_RESP', 'response', 'addResp', { createdObjResults: done });
    else agent.sendMessage(msgId, 'SET_RESP', 'response', 'setResp', { updatedObjResults: done });
    return true;
  };
}

let instance = 500;

function write(agent: TestAgent, type: 'add' | 'set', objPath: string, settings: readonly Setting[]): object {
  const path = type === 'add' ? `${objPath}${++instance}.` : objPath;
  for (const { param, value } of settings) agent.model.set(path + param, value);
  const success = type === 'add' ? { instantiatedPath: path } : { updatedInstResults: [{ affectedPath: path }] };
  return { requestedPath: objPath, operStatus: { one: { case: 'operSuccess', value: success } } };
}

const setUpOf = async () => (await fleet.routerOf(router)).reported['set_up'];
const readingsOf = async () => (await fleet.telemetryOf(router)).map(({ value }) => value);
const gets = ({ requests }: TestAgent) => requests.filter(({ type }: AgentRequest) => type === 'get').length;

/** Answer GetSupportedDM with an agent's objects, or with the error that `fault` returns. */
function describing(
  supportedObjs: readonly object[],
  fault = (): number | undefined => undefined,
  hidden: { readonly errCode?: number } = {},
): NonNullable<AgentOptions['respond']> {
  return (agent, { msgId, type }) => {
    if (type !== 'getSupportedDm') return false;
    const errCode = fault();
    if (errCode === undefined) {
      const response = {
        reqObjResults: [
          { reqObjPath: 'Device.', supportedObjs },
          { reqObjPath: 'Device.X.', ...hidden },
        ],
      };
      agent.sendMessage(msgId, 'GET_SUPPORTED_DM_RESP', 'response', 'getSupportedDmResp', response);
    } else agent.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode, errMsg: 'not now' });
    return true;
  };
}

describe('what a router can do', () => {
  const able = [
    { supportedObjPath: 'Device.DeviceInfo.FirmwareImage.{i}.', supportedCommands: [{ commandName: 'Download()' }] },
    { supportedObjPath: 'Device.X_HIGHLINE_GPS.', supportedParams: [{ paramName: 'Trail' }] },
  ];
  const canUpdate = async (which: TestRouter) =>
    ((await fleet.routerOf(which)).reported as { ota?: { firmware: boolean } }).ota?.firmware;
  const hasTrail = ({ model }: TestAgent) => [...model.values()].includes('Device.X_HIGHLINE_GPS.Trail');

  it('GRP-10-partial stays as it is while an agent is busy, its trail too, and no other router gets that answer', async () => {
    const gateway = await start({ ...soon, setUpRetryMs: 60_000 });
    const first = gateway.agent(router, { ...completeAgent, respond: describing(able) });
    await eventually(async () => expect(await canUpdate(router)).toBe(true));
    await eventually(() => expect(hasTrail(first)).toBe(true));
    const held = new Map([...first.model, ['Device.DeviceInfo.SoftwareVersion', '1.0.4']]);
    const again = gateway.agent(router, {
      ...completeAgent,
      model: held,
      respond: describing(able, () => 7005),
    });
    await gateway.reconciled(2);
    expect(again.count('getSupportedDm')).toBeGreaterThan(0);
    expect(hasTrail(again)).toBe(true);
    const next = new Map([...completeAgent.model, ['Device.DeviceInfo.SoftwareVersion', '1.0.4']]);
    gateway.agent(other, { ...completeAgent, model: next, respond: describing(able) });
    await eventually(async () => expect(await canUpdate(other)).toBe(true));
    expect(await canUpdate(router)).toBe(true);
  });

  it('GRP-10-partial is read again from an agent that was busy, without another connect', async () => {
    const gateway = await start(soon);
    let requests = 0;
    gateway.agent(router, { ...completeAgent, respond: describing(able, () => (requests++ < 2 ? 7003 : undefined)) });
    await eventually(async () => expect(await canUpdate(router)).toBe(true));
    expect(requests).toBe(3);
  });

  it('GRP-10-partial is known of an agent that may not describe one of its objects, and not of one that is busy', async () => {
    const gateway = await start({ ...soon, setUpRetryMs: 60_000 });
    for (const errCode of [7006, 7800]) {
      const model = new Map([...completeAgent.model, ['Device.DeviceInfo.SoftwareVersion', `${errCode}`]]);
      gateway.agent(router, { ...completeAgent, model, respond: describing(able, undefined, { errCode }) });
      await eventually(async () => expect(await canUpdate(router)).toBe(true));
      await fleet.pool.query(`update routers set reported = reported - 'ota' where id = $1`, [router.id]);
    }
    const model = new Map([...completeAgent.model, ['Device.DeviceInfo.SoftwareVersion', '7005']]);
    gateway.agent(router, { ...completeAgent, model, respond: describing(able, undefined, { errCode: 7005 }) });
    await gateway.reconciled(3);
    expect(await canUpdate(router)).toBe(undefined);
  });

  it('GRP-10-partial is never what a router of another owner says of the same model', async () => {
    await fleet.pool.query('delete from devices where id = $1', [other.deviceId]);
    await fleet.pool.query('update routers set organization_id = null, device_id = null where id = $1', [other.id]);
    const gateway = await start();
    gateway.agent(other, { ...completeAgent, respond: describing([]) });
    await eventually(async () => expect(await canUpdate(other)).toBe(false));
    gateway.agent(router, { ...completeAgent, respond: describing(able) });
    await eventually(async () => expect(await canUpdate(router)).toBe(true));
  });

  it('RMT-05-partial a busy agent does not answer whether it has a command, instead of having none', async () => {
    const gateway = await start();
    let errCode: number | undefined = 7005;
    gateway.agent(router, { ...completeAgent, respond: describing([], () => errCode) });
    await gateway.reconciled();
    const offers = () => gateway.gateway.deviceLink.offers(router.id, 'open-tunnel');
    await expect(offers()).rejects.toMatchObject({ key: 'router.no_answer' });
    for (errCode of [undefined, 7001, 7026]) expect(await offers()).toBe(false);
  });
});

describe('a set-up that a router rejects', () => {
  it('DEV-09-partial readings are polled while Push! is rejected, the rejection is shown, and the set-up is retried until it works', async () => {
    const gateway = await start(soon);
    let isRejecting = true;
    const respond = rejecting((objPath, settings) =>
      isRejecting && objPath === SUBSCRIPTIONS && settings.get('ID') === 'highline-push'
        ? { errCode: 7005, errMsg: 'no more\n than 3 subscriptions' }
        : undefined,
    );
    const agent = gateway.agent(router, { ...completeAgent, respond });
    await gateway.reconciled();
    await eventually(async () =>
      expect(await setUpOf()).toEqual({
        polled: true,
        count: 1,
        faults: [{ part: 'push', code: 7005, message: 'no more than 3 subscriptions' }],
      }),
    );
    agent.model.set(RSSI, '-93');
    await eventually(async () => expect(await readingsOf()).toContain(-93));
    isRejecting = false;
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: false, count: 0, faults: [] }));
    const before = gets(agent);
    await eventually(() => expect(agent.pings).toBeGreaterThan(10));
    // At most the poll already in progress: another one would come every 50 ms.
    expect(gets(agent)).toBeLessThanOrEqual(before + 1);
  });

  it('DEV-09-partial readings are polled from a router without bulk data, and that is not a fault', async () => {
    const gateway = await start(soon);
    const model = new Map([...completeAgent.model].filter(([path]) => !path.startsWith('Device.BulkData.')));
    const agent = gateway.agent(router, { model, tables: minimalAgent.tables });
    await gateway.reconciled();
    agent.model.set(RSSI, '-55');
    await eventually(async () => expect(await readingsOf()).toContain(-55));
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: true, count: 0, faults: [] }));
  });

  it('USE-01-partial data of each modem counts for its own SIM where readings are polled and the table of SIMs has the numbers', async () => {
    const gateway = await start(soon);
    const model = new Map([...completeAgent.model].filter(([path]) => !path.startsWith('Device.BulkData.')));
    for (const modem of [1, 2]) {
      const path = `Device.Cellular.Interface.${modem}.`;
      model.set(`${path}Status`, 'Up').set(`${path}Stats.BytesSent`, '5').set(`${path}Stats.BytesReceived`, '5');
      model.set(`Device.TrustedElements.SIM.${modem}.ICCID`, makeIccid(modem));
    }
    gateway.agent(router, { model, tables: minimalAgent.tables });
    const heads = () =>
      fleet.database.read
        .selectFrom('usage_heads')
        .select(['modem', 'iccid'])
        .where('router_id', '=', router.id)
        .orderBy('modem')
        .execute();
    await eventually(async () =>
      expect(await heads()).toEqual([
        { modem: 1, iccid: makeIccid(1) },
        { modem: 2, iccid: makeIccid(2) },
      ]),
    );
  });

  it('DEV-09-partial a profile that cannot be created is reported once with its reason, and readings are polled', async () => {
    const gateway = await start(soon);
    const respond = rejecting((objPath) =>
      objPath === 'Device.BulkData.Profile.' ? { errCode: 7017, errMsg: 'profiles are locked' } : undefined,
    );
    const agent = gateway.agent(router, { ...completeAgent, respond });
    await gateway.reconciled();
    const faults = [{ part: 'telemetry', code: 7017, message: 'profiles are locked' }];
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: true, count: 1, faults }));
    agent.model.set(RSSI, '-61');
    await eventually(async () => expect(await readingsOf()).toContain(-61));
  });

  it('DEV-09-partial a router without any reading is not polled for ever, and its page says so', async () => {
    const gateway = await start({ ...soon, contactMs: 60_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: false, unread: true, count: 0, faults: [] }));
    const before = gets(agent);
    const { pings } = agent;
    await eventually(() => expect(agent.pings).toBeGreaterThan(pings + 10));
    expect(gets(agent)).toBe(before);
    // At its next connect it has some.
    const model = new Map([...minimalAgent.model, [RSSI, '-66']]);
    gateway.agent(router, { model, tables: minimalAgent.tables });
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: true, count: 0, faults: [] }));
    await eventually(async () => expect(await readingsOf()).toContain(-66));
  });

  it('one request at a time: a router that does not answer a poll is not polled again meanwhile', async () => {
    const gateway = await start({ ...soon, requestMs: 60_000 });
    const model = new Map([...minimalAgent.model, [RSSI, '-66']]);
    const agent = gateway.agent(router, { model, tables: minimalAgent.tables });
    await gateway.reconciled();
    await eventually(() => expect(gets(agent)).toBeGreaterThan(1));
    agent.isResponding = false;
    const before = gets(agent);
    const { pings } = agent;
    await eventually(() => expect(agent.pings).toBeGreaterThan(pings + 10));
    expect(gets(agent)).toBeLessThanOrEqual(before + 1);
  });

  it('DEV-09-partial a router keeps as many reports as its range allows, and the profile is created anyway', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, {
      ...completeAgent,
      respond: rejecting((_, settings) => {
        const count = Number(settings.get('NumberOfRetainedFailedReports') ?? 0);
        const paramErrs = [{ param: 'NumberOfRetainedFailedReports', errCode: 7012, errMsg: 'not between 0 and 10' }];
        const updatedInstFailures = [{ affectedPath: 'Device.BulkData.Profile.1.', paramErrs }];
        return count < 0 || count > 10 ? { errCode: 7012, errMsg: 'no', updatedInstFailures } : undefined;
      }),
    });
    await gateway.reconciled();
    const profile = [...agent.model.keys()].find((path) => path.endsWith('.NumberOfRetainedFailedReports'))!;
    expect(agent.model.get(profile)).toBe('5');
    expect(agent.model.get(profile.replace('NumberOfRetainedFailedReports', 'Enable'))).toBe('true');
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: false, count: 0, faults: [] }));
  });

  it('DEV-09-partial a parameter error within a success is a rejection, if the parameter was required', async () => {
    const gateway = await start();
    gateway.agent(router, {
      ...completeAgent,
      respond: (agent, { msgId, type, value }) => {
        const objects = value['updateObjs'] as { objPath: string; paramSettings: Setting[] }[] | undefined;
        const enable = objects?.find(({ paramSettings }) => paramSettings.some(({ param }) => param === 'Enable'));
        if (type !== 'set' || !enable?.objPath.startsWith('Device.BulkData.Profile.')) return false;
        const paramErrs = [{ param: 'Enable', errCode: 7009, errMsg: 'not now' }];
        const updatedObjResults = objects!.map(({ objPath }) => {
          const result = { affectedPath: objPath, ...(objPath === enable.objPath ? { paramErrs } : {}) };
          return {
            requestedPath: objPath,
            operStatus: { one: { case: 'operSuccess', value: { updatedInstResults: [result] } } },
          };
        });
        agent.sendMessage(msgId, 'SET_RESP', 'response', 'setResp', { updatedObjResults });
        return true;
      },
    });
    await gateway.reconciled();
    const faults = [{ part: 'telemetry', code: 7009, message: 'Enable: not now' }];
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: true, count: 1, faults }));
  });

  it('an agent that rejects a whole message for one object gets each object alone', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, {
      ...minimalAgent,
      respond: (connection, { msgId, type, value }) => {
        if (type !== 'add' || (value['createObjs'] as unknown[]).length < 2) return false;
        connection.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7005, errMsg: 'one at a time' });
        return true;
      },
    });
    await gateway.reconciled();
    expect([...agent.model.values()]).toEqual(
      expect.arrayContaining(['highline-boot', 'highline-operations', 'highline-firmware']),
    );
    await eventually(async () => expect(await setUpOf()).toMatchObject({ count: 0 }));
  });
});

describe('how a router reconnects', () => {
  const MTP = 'Device.LocalAgent.Controller.1.MTP.1.WebSocket.';
  const withMtp = {
    ...minimalAgent,
    model: new Map([
      ...minimalAgent.model,
      [`${MTP}SessionRetryMinimumWaitInterval`, '5'],
      [`${MTP}SessionRetryIntervalMultiplier`, '2000'],
      [`${MTP}KeepAliveInterval`, '300'],
      ['Device.LocalAgent.Controller.2.EndpointID', 'self::another'],
      ['Device.LocalAgent.Controller.2.MTP.1.WebSocket.KeepAliveInterval', '300'],
    ]),
  };
  const setsOfMtp = (agent: TestAgent) => agent.requests.filter(({ value }) => JSON.stringify(value).includes('MTP.1.WebSocket'));

  it('DEV-08-partial is set on our own row only, and not again', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, withMtp);
    await gateway.reconciled();
    expect(agent.model.get(`${MTP}SessionRetryIntervalMultiplier`)).toBe('1500');
    expect(agent.model.get(`${MTP}KeepAliveInterval`)).toBe('30');
    expect(agent.model.get('Device.LocalAgent.Controller.2.MTP.1.WebSocket.KeepAliveInterval')).toBe('300');
    const again = gateway.agent(router, { model: agent.model, tables: agent.options.tables! });
    await gateway.reconciled(2);
    expect(setsOfMtp(again)).toEqual([]);
  });

  it('DEV-08-partial is set again after a factory reset', async () => {
    const gateway = await start();
    gateway.agent(router, withMtp);
    await gateway.reconciled();
    await eventually(async () => expect((await fleet.routerOf(router)).reported['subscribed']).toBe(true));
    const reset = gateway.agent(router, withMtp);
    await gateway.reconciled(2);
    expect(reset.model.get(`${MTP}SessionRetryIntervalMultiplier`)).toBe('1500');
  });

  it('DEV-08-partial a router that rejects it is set up anyway, and not configured at every connect', async () => {
    const gateway = await start();
    const respond = rejecting((objPath) => (objPath === MTP ? { errCode: 7012, errMsg: 'out of range' } : undefined));
    const first = gateway.agent(router, { ...withMtp, respond });
    await gateway.reconciled();
    await eventually(async () => expect(await setUpOf()).toMatchObject({ count: 0 }));
    const again = gateway.agent(router, { ...withMtp, model: first.model, respond });
    await gateway.reconciled(2);
    expect(setsOfMtp(again)).toEqual([]);
  });
});

describe('protocol versions', () => {
  it('DEV-09-partial our records use the version of the agent’s records', async () => {
    const gateway = await start();
    const versions: unknown[] = [];
    const agent = gateway.agent(router, { ...minimalAgent, mute: true });
    await agent.opened();
    agent.socket.on('message', (data) => versions.push(decodeIndependentRecord(data as Buffer)['version']));
    agent.introduce({ version: '1.4' });
    await eventually(() => expect(versions).toEqual(['1.4']));
  });

  it('DEV-09-partial the extension with which an agent names itself is answered with ours, and no other agent gets it', async () => {
    const gateway = await start();
    const handshake = async (extensions: Readonly<Record<string, string>>) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-protocol': 'v1.usp',
        ...extensions,
      };
      const upgrade = request({ port: gateway.port, host: '127.0.0.1', path: `/usp/${router.secret}`, headers }).end();
      const [response, socket] = (await once(upgrade, 'upgrade')) as [IncomingMessage, Socket];
      socket.destroy();
      return response.headers['sec-websocket-extensions'];
    };
    const offer = `permessage-deflate, bbf-usp-protocol; eid="${router.endpointId}"`;
    expect(await handshake({ 'sec-websocket-extensions': offer })).toBe('bbf-usp-protocol; eid="self::highline"');
    expect(await handshake({ 'sec-websocket-extensions': 'permessage-deflate' })).toBeUndefined();
    expect(await handshake({})).toBeUndefined();
  });
});

describe('a factory reset without a Boot!', () => {
  const resets = async () => {
    const { rows } = await fleet.pool.query<{ subject: string }>(
      "select subject from router_events where router_id = $1 and subject = 'DEVICE_FACTORY_RESET'",
      [router.id],
    );
    return rows.length;
  };
  const subscribed = () => eventually(async () => expect((await fleet.routerOf(router)).reported['subscribed']).toBe(true));

  it('NTF-01-partial is detected by our missing subscriptions, reported once, and they are created again', async () => {
    const gateway = await start();
    const first = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    await subscribed();
    gateway.agent(router, { model: first.model, tables: minimalAgent.tables });
    await gateway.reconciled(2);
    expect(await resets()).toBe(0);

    const reset = gateway.agent(router, minimalAgent);
    await gateway.reconciled(3);
    await eventually(async () => expect(await resets()).toBe(1));
    expect([...reset.model.values()]).toContain('highline-boot');
    await subscribed();
    const seenAt = async () => (await fleet.routerOf(router)).reported['reset_seen_at'] as string;
    const before = await seenAt();
    reset.event('power', 'Device.', 'Boot!', { Cause: 'LocalReboot' });
    await reset.whenResponded('power');
    expect(await seenAt()).toBe(before);
    // The Boot! of the same reset, from an agent that kept it until it had a subscription.
    reset.event('boot', 'Device.', 'Boot!', { Cause: 'LocalFactoryReset' });
    await reset.whenResponded('boot');
    expect(Date.parse(await seenAt())).toBeGreaterThan(Date.parse(before));
    gateway.agent(router, { model: reset.model, tables: minimalAgent.tables });
    await gateway.reconciled(4);
    expect(await resets()).toBe(1);
  });

  it('NTF-01-partial is not detected at first contact, nor where subscriptions end with each restart', async () => {
    const gateway = await start();
    const respond: AgentOptions['respond'] = (agent, { msgId, type, value }) => {
      if (type !== 'add') return false;
      const paramErrs = [{ param: 'Persistent', errCode: 7013, errMsg: 'read-only' }];
      const createdObjResults = (value['createObjs'] as { objPath: string; paramSettings: Setting[] }[]).map(
        ({ objPath, paramSettings }) => {
          const { operStatus } = write(agent, 'add', objPath, paramSettings) as { operStatus: { one: { value: object } } };
          const one = { case: 'operSuccess', value: { ...operStatus.one.value, paramErrs } };
          return { requestedPath: objPath, operStatus: { one } };
        },
      );
      agent.sendMessage(msgId, 'ADD_RESP', 'response', 'addResp', { createdObjResults });
      return true;
    };
    gateway.agent(router, { ...minimalAgent, respond });
    await gateway.reconciled();
    await eventually(async () => expect((await fleet.routerOf(router)).reported['subscribed']).toBe(false));
    gateway.agent(router, { ...minimalAgent, respond });
    await gateway.reconciled(2);
    await eventually(async () => expect(await setUpOf()).toMatchObject({ count: 0 }));
    expect(await resets()).toBe(0);
  });
});
