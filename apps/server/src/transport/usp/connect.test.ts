import { networks } from '@highline/contract';
import { makeEid, makeIccid, makeImei, makeImsi } from '@highline/usp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { openGateways } from '../../testing/gateways.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';
import type { TestAgent } from '../../testing/agent.ts';
import { completeAgent, minimalAgent } from '../../testing/agent-models.ts';

let fleet: RouterDatabase;
let router: TestRouter;
const start = openGateways((given) => ({ fleet, router } = given));

const subscriptionsOf = (agent: TestAgent) =>
  [...agent.model].filter(([path]) => /Subscription\.\d+\.ID$/u.test(path)).map(([, id]) => id);

describe('a connecting router', () => {
  it('DEV-09-partial any conforming agent works: frames of another protobuf runtime, no Cellular, no FirmwareImage, no bulk data', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online', firmware: '1.0.3' }));
    expect(await fleet.deviceOf(router)).toMatchObject({ model: 'HR-100', carrier: null, imei: null, iccid: null, config: null });
    const { up_since: upSince } = await fleet.deviceOf(router);
    expect(Math.abs(Date.now() - 86_400_000 - upSince!.getTime())).toBeLessThan(60_000);
    expect(subscriptionsOf(agent).sort()).toEqual([
      'highline-boot',
      'highline-firmware',
      'highline-heartbeat',
      'highline-operations',
    ]);
    expect(agent.model.get('Device.LocalAgent.Controller.1.PeriodicNotifInterval')).toBe('60');
    agent.event('1', 'Device.', 'Boot!', { Cause: 'LocalReboot' });
    await agent.whenResponded('1');
    expect(await fleet.historyOf(router)).toEqual(['online: connected', 'boot: LocalReboot']);
  });

  it('DEV-09-partial modem, SIM and bulk data are set up once, and not requested again at the next connect', async () => {
    const gateway = await start();
    const first = gateway.agent(router, completeAgent);
    await gateway.reconciled();
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ carrier: 'Verizon', iccid: makeIccid(1) }));
    await eventually(async () =>
      expect((await fleet.telemetryOf(router)).map(({ value }) => value).sort((a, b) => a - b)).toEqual([-71, 13.4, 1000]),
    );
    const profile = [...first.model].filter(([path]) => path.startsWith('Device.BulkData.'));
    const values = profile.map(
      ([path, value]) => `${path.replaceAll(/\.\d+\./gu, '.*.').slice('Device.BulkData.'.length)}=${value}`,
    );
    expect(values.sort()).toEqual([
      'Enable=true',
      'MinReportingInterval=30',
      'ParameterWildCardSupported=true',
      'Profile.*.Enable=true',
      'Profile.*.EncodingType=JSON',
      'Profile.*.JSONEncoding.ReportFormat=NameValuePair',
      'Profile.*.JSONEncoding.ReportTimestamp=Unix-Epoch',
      'Profile.*.Name=highline-telemetry',
      'Profile.*.NumberOfRetainedFailedReports=120',
      'Profile.*.Parameter.*.Reference=Device.Cellular.Interface.*.RSSI',
      'Profile.*.Parameter.*.Reference=Device.Cellular.Interface.*.Stats.BytesSent',
      'Profile.*.Parameter.*.Reference=Device.DeviceInfo.PowerStatus.PowerSensor.*.Voltage',
      'Profile.*.Protocol=USPEventNotif',
      'Profile.*.ReportingInterval=60',
    ]);

    const again = gateway.agent(router, { model: first.model, tables: completeAgent.tables });
    await gateway.reconciled(2);
    expect(again.requests.map(({ type }) => type)).toEqual(['getSupportedProtocol', 'get']);
    expect(again.model).toEqual(first.model);
  });

  it('after a factory reset, an agent gets back missing settings, and loses wrong settings of ours', async () => {
    const gateway = await start();
    const wrong = new Map([
      ...minimalAgent.model,
      ['Device.LocalAgent.Subscription.90.ID', 'highline-boot'],
      ['Device.LocalAgent.Subscription.90.NotifType', 'Event'],
      ['Device.LocalAgent.Subscription.90.ReferenceList', 'Device.Other!'],
      ['Device.LocalAgent.Subscription.91.ID', 'highline-operations'],
      ['Device.LocalAgent.Subscription.91.NotifType', 'OperationComplete'],
      ['Device.LocalAgent.Subscription.91.ReferenceList', 'Device.'],
      ['Device.LocalAgent.Subscription.91.Enable', 'false'],
      ['Device.LocalAgent.Subscription.92.ID', 'some-other-controller'],
      ['Device.LocalAgent.Subscription.92.NotifType', 'Event'],
      ['Device.LocalAgent.Subscription.92.ReferenceList', 'Device.Boot!'],
    ]);
    const agent = gateway.agent(router, { model: wrong, tables: minimalAgent.tables });
    await gateway.reconciled();
    expect(subscriptionsOf(agent).sort()).toEqual([
      'highline-boot',
      'highline-firmware',
      'highline-heartbeat',
      'highline-operations',
      'some-other-controller',
    ]);
    expect(agent.model.has('Device.LocalAgent.Subscription.90.ID')).toBe(false);
    expect(agent.model.get('Device.LocalAgent.Subscription.91.Enable')).toBe('true');
  });

  it('a second request waits until the first is answered, with pings meanwhile', async () => {
    const gateway = await start({ awaitPingMs: 20, pingMs: 60_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    agent.isResponding = false;
    const before = agent.requests.length;
    const first = gateway.gateway.deviceLink.readValues(router.id, ['Device.DeviceInfo.ModelName']);
    const second = gateway.gateway.deviceLink.readValues(router.id, ['Device.DeviceInfo.UpTime']);
    await eventually(() => expect(agent.pings).toBeGreaterThan(2));
    expect(agent.requests.length).toBe(before + 1);
    agent.isResponding = true;
    const { msgId } = agent.requests[before]!;
    const resolvedPathResults = [{ resolvedPath: 'Device.DeviceInfo.', resultParams: { ModelName: 'late' } }];
    const response = { reqPathResults: [{ requestedPath: 'Device.DeviceInfo.ModelName', resolvedPathResults }] };
    agent.sendMessage('another-message', 'GET_RESP', 'response', 'getResp', { reqPathResults: [] });
    agent.sendMessage(msgId, 'GET_RESP', 'response', 'getResp', response);
    expect(await first).toEqual(new Map([['Device.DeviceInfo.ModelName', 'late']]));
    expect(await second).toEqual(new Map([['Device.DeviceInfo.UpTime', '86400']]));
  });

  it('a request to a router that does not answer, or is not connected, fails with a message and keeps the connection', async () => {
    const gateway = await start();
    const { deviceLink } = gateway.gateway;
    await expect(deviceLink.readValues(router.id, ['Device.DeviceInfo.ModelName'])).rejects.toMatchObject({
      key: 'router.not_connected',
    });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    agent.isResponding = false;
    await expect(deviceLink.readValues(router.id, ['Device.DeviceInfo.ModelName'], 50)).rejects.toMatchObject({
      key: 'router.no_answer',
    });
    agent.isResponding = true;
    expect(await deviceLink.readValues(router.id, ['Device.DeviceInfo.ModelName'])).toEqual(
      new Map([['Device.DeviceInfo.ModelName', 'HR-100']]),
    );
  });

  it('an agent that rejects the whole request is read in halves, so that one bad path affects only itself', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, { ...minimalAgent, mute: true });
    await agent.opened();
    agent.socket.on('message', () => {
      const request = agent.requests.at(-1)!;
      if (request.type !== 'get') agent.sendMessage(request.msgId, 'ERROR', 'error', undefined, { errCode: 7001 });
      else respondToGet(agent, request.msgId, request.value['paramPaths'] as string[]);
    });
    agent.introduce();
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ firmware: '1.0.3', model: 'HR-100' }));
  });

  it('a serial number other than the inventory’s does not change the router’s identity, but is recorded', async () => {
    const gateway = await start();
    gateway.agent(router, {
      model: new Map([...minimalAgent.model, ['Device.DeviceInfo.SerialNumber', 'ANOTHER-SERIAL']]),
      tables: minimalAgent.tables,
    });
    await gateway.reconciled();
    await eventually(async () => expect(await fleet.historyOf(router)).toEqual(['online: connected', 'cloned: serial-mismatch']));
    expect(await fleet.routerOf(router)).toMatchObject({ serial: router.serial, presence: 'online' });
    const doubted = fleet.database.read
      .selectFrom('router_rejections')
      .select(['reason', 'received'])
      .where('router_id', '=', router.id);
    await eventually(async () =>
      expect(await doubted.executeTakeFirst()).toEqual({ reason: 'serial-mismatch', received: 'ANOTHER-SERIAL' }),
    );
  });

  it('DEV-08-partial an other serial number is one line in the history of a connection, however often it is read on it', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, {
      model: new Map([...minimalAgent.model, ['Device.DeviceInfo.SerialNumber', 'ANOTHER-SERIAL']]),
      tables: minimalAgent.tables,
    });
    await gateway.reconciled();
    agent.notify('1', 'valueChange', { paramPath: 'Device.Other.Value', paramValue: '1' });
    await gateway.reconciled(2);
    await gateway.presence.recordReport(router.id, {});
    expect(await fleet.historyOf(router)).toEqual(['online: connected', 'cloned: serial-mismatch']);
  });

  it.each(['', ' ', '\u0000', 'same'])('DEV-08-partial the serial number %j of an agent is no other one', async (text) => {
    const gateway = await start();
    const reported = text === 'same' ? ` ${router.serial.toLowerCase()}` : text;
    gateway.agent(router, {
      model: new Map([...minimalAgent.model, ['Device.DeviceInfo.SerialNumber', reported]]),
      tables: minimalAgent.tables,
    });
    await gateway.reconciled();
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ model: 'HR-100' }));
    await gateway.presence.recordReport(router.id, {});
    expect(await fleet.historyOf(router)).toEqual(['online: connected']);
  });

  it('hostile values are shortened and cleaned, numbers with wrong check digits flagged, and the clock’s error is measured', async () => {
    const gateway = await start();
    const hostile = new Map([
      ...completeAgent.model,
      ['Device.DeviceInfo.ModelName', `A\u0000\u202eB${'x'.repeat(10_000)}`],
      ['Device.TrustedElements.SIM.1.ICCID', '1\u00002'],
      ['Device.DeviceInfo.UpTime', '-1'],
      ['Device.Time.CurrentLocalTime', new Date(Date.now() + 600_000).toISOString()],
    ]);
    gateway.agent(router, { model: hostile, tables: completeAgent.tables });
    await eventually(async () =>
      expect(await fleet.deviceOf(router)).toMatchObject({ model: `AB${'x'.repeat(98)}`, iccid: '12', booted_at: null }),
    );
    const { reported, clock_skew_ms: skew } = await fleet.routerOf(router);
    expect(reported['invalid']).toEqual(['iccid']);
    expect(Math.abs(skew! - 600_000)).toBeLessThan(60_000);
  });

  it('measured values are corrected by the router’s clock', async () => {
    const gateway = await start();
    const ahead = 7_200_000;
    const model = new Map([...completeAgent.model, ['Device.Time.CurrentLocalTime', new Date(Date.now() + ahead).toISOString()]]);
    for (const path of model.keys()) if (path.startsWith('Device.BulkData.')) model.delete(path);
    const agent = gateway.agent(router, { model, tables: completeAgent.tables });
    await gateway.reconciled();
    const collected = Math.round((Date.now() + ahead) / 1_000) - 600;
    agent.push('push-1', [{ CollectionTime: collected, 'Device.Cellular.Interface.1.RSSI': -99 }]);
    await agent.whenResponded('push-1');
    const pushed = (await fleet.telemetryOf(router)).find(({ value }) => value === -99)!;
    expect(Math.abs(pushed.at.getTime() - (Date.now() - 600_000))).toBeLessThan(60_000);
  });

  it('SAY-02-partial a clock that is not set is known as such, and corrects no times', async () => {
    const gateway = await start();
    await fleet.pool.query('update routers set clock_skew_ms = 0 where id = $1', [router.id]);
    const model = new Map([...completeAgent.model, ['Device.Time.CurrentLocalTime', '1970-01-01T00:02:00Z']]);
    for (const path of model.keys()) if (path.startsWith('Device.BulkData.')) model.delete(path);
    const agent = gateway.agent(router, { model, tables: completeAgent.tables });
    await gateway.reconciled();
    await eventually(async () => expect((await fleet.routerOf(router)).clock_skew_ms).toBe(-(2 ** 31 - 1)));
    agent.push('push-1', [{ CollectionTime: 90, 'Device.Cellular.Interface.1.RSSI': -98 }]);
    await agent.whenResponded('push-1');
    const pushed = (await fleet.telemetryOf(router)).find(({ value }) => value === -98)!;
    expect(Math.abs(pushed.at.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('SAY-02-partial a clock that is set during a connection is read again, and its reports have the right times', async () => {
    const gateway = await start();
    const textOf = (aheadMs: number) => new Date(Date.now() + aheadMs).toISOString();
    const model = new Map([...completeAgent.model, ['Device.Time.CurrentLocalTime', textOf(-7_200_000)]]);
    for (const path of model.keys()) if (path.startsWith('Device.BulkData.')) model.delete(path);
    const agent = gateway.agent(router, { model, tables: completeAgent.tables });
    await gateway.reconciled();
    const skew = async () => (await fleet.routerOf(router)).clock_skew_ms ?? 0;
    await eventually(async () => expect(Math.abs((await skew()) + 7_200_000)).toBeLessThan(60_000));
    agent.model.set('Device.Time.CurrentLocalTime', textOf(0));
    for (const [id, rssi] of [
      ['push-1', -98],
      ['push-2', -97],
    ] as const)
      agent.push(id, [
        { CollectionTime: Math.round(Date.now() / 1_000) - 20, 'Device.Cellular.Interface.1.RSSI': rssi - 10 },
        { CollectionTime: Math.round(Date.now() / 1_000), 'Device.Cellular.Interface.1.RSSI': rssi },
      ]);
    await Promise.all([agent.whenResponded('push-1'), agent.whenResponded('push-2')]);
    for (const [value, age] of [
      [-98, 0],
      [-107, 20_000],
    ] as const) {
      const pushed = (await fleet.telemetryOf(router)).find((found) => found.value === value)!;
      expect(Math.abs(pushed.at.getTime() - (Date.now() - age))).toBeLessThan(15_000);
    }
    expect(Math.abs(await skew())).toBeLessThan(60_000);
  });

  it('LIV-02-partial since when a client is connected is by our clock: a time without a zone is UTC, and one of a router that is ahead is corrected', async () => {
    vi.stubEnv('TZ', 'Asia/Taipei');
    onTestFinished(() => void vi.unstubAllEnvs());
    const gateway = await start();
    const ahead = 5 * 3_600_000;
    const since = Math.floor(Date.now() / 1_000) - 600;
    const text = new Date(since * 1_000 + ahead).toISOString().slice(0, 19);
    const [host, point] = ['Device.Hosts.Host.1.', 'Device.WiFi.AccessPoint.1.AssociatedDevice.1.'];
    const model = new Map([
      ...completeAgent.model,
      ['Device.Time.CurrentLocalTime', new Date(Date.now() + ahead).toISOString()],
      [`${host}PhysAddress`, '00:11:22:33:44:55'],
      [`${host}ActiveLastChange`, text],
      [`${point}MACAddress`, '00:11:22:33:44:66'],
      [`${point}AssociationTime`, `${text}Z`],
    ]);
    gateway.agent(router, { ...completeAgent, model });
    await gateway.reconciled();
    await gateway.gateway.deviceLink.refresh(router.id, 'clients');
    const stored = await fleet.pool.query("select content from router_tables where router_id = $1 and name = 'clients'", [
      router.id,
    ]);
    const { clients } = stored.rows[0].content;
    expect(clients).toHaveLength(2);
    for (const client of clients) expect(Math.abs(client.since - since)).toBeLessThan(60);
  });

  /** Hosts of which only the last is there. */
  const hostsOf = (count: number, ipv6: number) =>
    Array.from({ length: count }, (_, index): [string, string][] => {
      const path = `Device.Hosts.Host.${index + 1}.`;
      const mac = (0x00_11_22_00_00_00 + index).toString(16).padStart(12, '0');
      const addresses = Array.from({ length: ipv6 }, (__, at): [string, string] => [
        `${path}IPv6Address.${at + 1}.IPAddress`,
        `2001:db8::${index.toString(16)}:${at}`,
      ]);
      return [[`${path}PhysAddress`, mac], [`${path}Active`, String(index === count - 1)], ...addresses];
    }).flat();

  it.each([
    [2_600, 4],
    [networks.MOST_READ_CLIENTS, 0],
  ])(
    'LIV-02-partial a router with %i hosts, of %i IPv6 addresses each, stays connected and lists those that are there',
    async (count, ipv6) => {
      const gateway = await start();
      const agent = gateway.agent(router, completeAgent);
      await gateway.reconciled();
      agent.model.set('Device.Hosts.HostNumberOfEntries', String(count));
      for (const [path, value] of hostsOf(count, ipv6)) agent.model.set(path, value);
      await gateway.gateway.deviceLink.refresh(router.id, 'clients');
      const stored = await fleet.pool.query("select content from router_tables where router_id = $1 and name = 'clients'", [
        router.id,
      ]);
      expect(stored.rows[0].content).toMatchObject({ total: 1, clients: [{ mac: expect.any(String) }] });
      expect(agent.socket.readyState).toBe(agent.socket.OPEN);
    },
  );

  it('LIV-02-partial a client that is a host and a station counts once against the most that are read', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, completeAgent);
    await gateway.reconciled();
    for (const table of ['Device.Hosts.Host', 'Device.WiFi.AccessPoint.1.AssociatedDevice'])
      agent.model.set(`${table}NumberOfEntries`, String(networks.MOST_READ_CLIENTS));
    const [[path, mac], [active]] = hostsOf(1, 0) as [[string, string], [string]];
    agent.model.set(path, mac);
    agent.model.set(active, 'true');
    agent.model.set('Device.WiFi.AccessPoint.1.AssociatedDevice.1.MACAddress', mac);
    await gateway.gateway.deviceLink.refresh(router.id, 'clients');
    const stored = await fleet.pool.query("select content from router_tables where router_id = $1 and name = 'clients'", [
      router.id,
    ]);
    expect(stored.rows[0].content).toMatchObject({ total: 1, clients: [{ wireless: true }] });
  });

  it('LIV-02-partial an answer of too many fields ends its request, not the connection; without a request it ends that', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, completeAgent);
    await gateway.reconciled();
    for (const [path, value] of hostsOf(10_001, 0)) agent.model.set(path, value);
    const { deviceLink } = gateway.gateway;
    const values = await deviceLink.readValues(
      router.id,
      ['Device.Hosts.Host.*.PhysAddress', 'Device.DeviceInfo.ModelName'],
      20_000,
    );
    expect([...values]).toEqual([['Device.DeviceInfo.ModelName', 'HR-100']]);
    expect(agent.socket.readyState).toBe(agent.socket.OPEN);
    agent.respond({ msgId: 'none', type: 'get', value: { paramPaths: ['Device.Hosts.Host.*.PhysAddress'] } });
    expect((await agent.closed).code).toBe(1003);
  });

  describe('with two SIMs', () => {
    const MODEM = 'Device.Cellular.Interface.1.';
    const SIM = 'Device.TrustedElements.SIM.';
    const [first, second] = [makeIccid(1), makeIccid(2)];
    const eid = makeEid(1);
    const sims: readonly (readonly [string, string])[] = [
      [`${SIM}1.ICCID`, first],
      [`${SIM}1.IMSI`, makeImsi(1)],
      [`${SIM}1.EID`, eid],
      [`${SIM}2.ICCID`, second],
      [`${SIM}2.IMSI`, makeImsi(2)],
    ];
    const states = (one: string, two: string): [string, string][] => [
      [`${SIM}1.Status`, one],
      [`${SIM}2.Status`, two],
    ];
    const shown = async () => {
      const { iccid, imsi, eid: shownEid } = await fleet.deviceOf(router);
      return [iccid, imsi, shownEid];
    };
    /** The SIM that a report of counters counts for. */
    const countedSim = async (agent: TestAgent, id: string) => {
      const counters = { [`${MODEM}Stats.BytesSent`]: 5, [`${MODEM}Stats.BytesReceived`]: 5 };
      agent.push(id, [{ ...counters, [`${SIM}1.ICCID`]: first, [`${SIM}2.ICCID`]: second }]);
      await agent.whenResponded(id);
      const heads = fleet.database.read.selectFrom('usage_heads').select('iccid').where('router_id', '=', router.id);
      return (await heads.executeTakeFirstOrThrow()).iccid;
    };

    it.each<[string, [string, string][]]>([
      ['the one whose number the modem names', [[`${MODEM}USIM.ICCID`, second]]],
      ['the only valid one', states('Available', 'Valid')],
      ['the only one that is there', states('None', '')],
      [
        'the first of those that the modem prefers',
        [[`${MODEM}SIMReferenceList`, `${SIM}2,${SIM}1`], ...states('Valid', 'Valid')],
      ],
      ['the valid one of those', [[`${MODEM}SIMReferenceList`, `${SIM}1.,${SIM}2.`], ...states('Error', 'Valid')]],
    ])('DEV-09-partial USE-01-partial the SIM in use is %s, and the EID is that of the eUICC', async (_, values) => {
      const gateway = await start();
      const model = new Map([...completeAgent.model, ...sims, ...values]);
      const agent = gateway.agent(router, { model, tables: completeAgent.tables });
      await gateway.reconciled();
      await eventually(async () => expect(await shown()).toEqual([second, makeImsi(2), eid]));
      expect(await countedSim(agent, 'u-1')).toBe(second);
    });

    it('SIM-10-partial DEV-09-partial the eUICC that is known stays the one shown, also at a new connection, where another one comes first', async () => {
      const gateway = await start();
      const ofEuicc = async () => {
        const read = await fleet.pool.query("select reported -> 'esim' ->> 'path' as path from routers where id = $1", [
          router.id,
        ]);
        return [(await fleet.deviceOf(router)).eid, read.rows[0].path];
      };
      const known = [makeEid(2), `${SIM}2.`];
      const model = new Map([...completeAgent.model, ...sims, [`${SIM}1.EID`, ''] as const, [`${SIM}2.EID`, known[0]!] as const]);
      gateway.agent(router, { model, tables: completeAgent.tables });
      await gateway.reconciled();
      await eventually(async () => expect(await ofEuicc()).toEqual(known));
      for (const [first, second, times] of [
        [eid, known[0]!, 2],
        [eid, '', 3],
      ] as const) {
        const now = new Map([...model, [`${SIM}1.EID`, first] as const, [`${SIM}2.EID`, second] as const]);
        gateway.agent(router, { model: now, tables: completeAgent.tables });
        await gateway.reconciled(times);
        await gateway.presence.flush();
        expect(await ofEuicc()).toEqual(known);
      }
    });

    it('DEV-09-partial USE-01-partial a change to the other SIM is seen by its state', async () => {
      const gateway = await start();
      const model = new Map([...completeAgent.model, ...sims, ...states('Valid', 'Available')]);
      const agent = gateway.agent(router, { model, tables: completeAgent.tables });
      await gateway.reconciled();
      await eventually(async () => expect(await shown()).toEqual([first, makeImsi(1), eid]));
      expect(await countedSim(agent, 'u-1')).toBe(first);
      expect([...agent.model.values()]).toContainEqual(expect.stringContaining(`${SIM}*.Status`));
      for (const [path, value] of states('Available', 'Valid')) agent.model.set(path, value);
      agent.notify('c-1', 'valueChange', { paramPath: `${SIM}2.Status`, paramValue: 'Valid' });
      await agent.whenResponded('c-1');
      await eventually(async () => expect(await shown()).toEqual([second, makeImsi(2), eid]));
      expect(await countedSim(agent, 'u-2')).toBe(second);
    });

    it('DEV-09-partial USE-01-partial a change to the other SIM is seen by the number that the modem names, with all other numbers', async () => {
      const gateway = await start();
      const number = `${MODEM}USIM.ICCID`;
      const model = new Map([...completeAgent.model, ...sims, ...states('Valid', 'Valid'), [number, first] as const]);
      const agent = gateway.agent(router, { model, tables: completeAgent.tables });
      await gateway.reconciled();
      await eventually(async () => expect(await shown()).toEqual([first, makeImsi(1), eid]));
      expect([...agent.model.values()]).toContainEqual(expect.stringContaining('Device.Cellular.Interface.*.USIM.ICCID'));
      agent.model.set(number, second);
      agent.notify('c-1', 'valueChange', { paramPath: number, paramValue: second });
      await agent.whenResponded('c-1');
      await eventually(async () => expect(await shown()).toEqual([second, makeImsi(2), eid]));
      agent.model.set(`${SIM}2.IMSI`, makeImsi(3));
      agent.notify('c-2', 'valueChange', { paramPath: `${SIM}2.IMSI`, paramValue: makeImsi(3) });
      await agent.whenResponded('c-2');
      expect(await shown()).toEqual([second, makeImsi(3), eid]);
    });
  });

  describe('with two modems that are up', () => {
    const MODEMS = 'Device.Cellular.Interface.';
    const ROUTES = 'Device.Routing.Router.1.IPv4Forwarding.';
    const SIM = 'Device.TrustedElements.SIM.';
    const simOf = (number: number) => 3 - number;
    const of = (number: number, metric: number): [string, string][] => [
      [`${MODEMS}${number}.Status`, 'Up'],
      [`${MODEMS}${number}.IMEI`, makeImei(number)],
      [`${MODEMS}${number}.NetworkInUse`, `Carrier ${number}`],
      [`${MODEMS}${number}.SIMReferenceList`, `${SIM}${simOf(number)}`],
      [`${SIM}${number}.ICCID`, makeIccid(number)],
      [`Device.IP.Interface.${number}.Status`, 'Up'],
      [`Device.IP.Interface.${number}.LowerLayers`, `${MODEMS}${number}`],
      [`${ROUTES}${number}.Interface`, `Device.IP.Interface.${number}`],
      [`${ROUTES}${number}.ForwardingMetric`, String(metric)],
    ];
    const model = new Map([...completeAgent.model, ...of(1, 20), ...of(2, 10)]);
    const shown = async () => {
      const { imei, iccid, carrier } = await fleet.deviceOf(router);
      return [imei, iccid, carrier];
    };
    const modem = (number: number) => [makeImei(number), makeIccid(simOf(number)), `Carrier ${number}`];
    const connected = async () => {
      const gateway = await start();
      const agent = gateway.agent(router, { model, tables: completeAgent.tables });
      await gateway.reconciled();
      await eventually(async () => expect(await shown()).toEqual(modem(2)));
      return { gateway, agent, deviceLink: gateway.gateway.deviceLink };
    };
    const failOver = (agent: TestAgent) => agent.model.set('Device.IP.Interface.2.Status', 'Down');

    it('DEV-09-partial LIV-10-partial the one that carries the traffic is shown, and restarted; after a change of the uplink it is the other one', async () => {
      const { agent, deviceLink } = await connected();
      const restarted = async () => {
        await deviceLink.operate(router.id, { type: 'restart-modem' }, { key: 'k', timeoutMs: 5_000 }).catch(() => undefined);
        return (agent.requests.findLast(({ type }) => type === 'operate')!.value as { command: string }).command;
      };
      expect(await restarted()).toContain(`${MODEMS}2.`);
      failOver(agent);
      agent.notify('c1', 'valueChange', { paramPath: 'Device.IP.Interface.2.Status', paramValue: 'Down' });
      await agent.whenResponded('c1');
      await eventually(async () => expect(await shown()).toEqual(modem(1)));
      expect(await restarted()).toContain(`${MODEMS}1.`);
    });

    it('DEV-09-partial USE-01-partial what is reported at a new connection before it is read is of the one that was in use, with its own SIM', async () => {
      const { gateway } = await connected();
      const agent = gateway.agent(router, { model, tables: completeAgent.tables, respond: (_, { type }) => type === 'get' });
      const at = Date.now() / 1_000 - 60;
      const of = (number: number, rssi: number) => ({
        [`${MODEMS}${number}.RSSI`]: rssi,
        [`${MODEMS}${number}.Stats.BytesSent`]: 5,
        [`${MODEMS}${number}.Stats.BytesReceived`]: 5,
      });
      await agent.opened();
      agent.push('p1', [
        { CollectionTime: at, ...of(1, -90), ...of(2, -60), [`${SIM}1.ICCID`]: makeIccid(1), [`${SIM}2.ICCID`]: makeIccid(2) },
      ]);
      await agent.whenResponded('p1');
      const values = (await fleet.telemetryOf(router)).map(({ value }) => value);
      expect([values.includes(-60), values.includes(-90)]).toEqual([true, false]);
      const heads = fleet.database.read.selectFrom('usage_heads').select(['modem', 'iccid']).where('router_id', '=', router.id);
      expect((await heads.orderBy('modem').execute()).map(({ iccid }) => iccid)).toEqual(
        [1, 2].map((each) => makeIccid(simOf(each))),
      );
    });

    it('DEV-09-partial LIV-10-partial while the modems restart, a change of an uplink does not take away the SIM that is shown', async () => {
      const { agent } = await connected();
      for (const path of agent.model.keys()) if (path.startsWith(MODEMS) || path.startsWith(SIM)) agent.model.delete(path);
      agent.notify('c1', 'valueChange', { paramPath: 'Device.IP.Interface.2.Status', paramValue: 'Down' });
      await agent.whenResponded('c1');
      const reads = agent.count('get');
      agent.notify('c2', 'valueChange', { paramPath: 'Device.IP.Interface.1.Status', paramValue: 'Up' });
      await agent.whenResponded('c2');
      await eventually(() => expect(agent.count('get')).toBeGreaterThan(reads));
      expect(await shown()).toEqual(modem(2));
    });

    it.each(['sims', 'uplinks'] as const)(
      'DEV-09-partial LIV-10-partial it stays the one that carries the traffic when the %s are read, also after a change',
      async (what) => {
        const { agent, deviceLink } = await connected();
        await deviceLink.refresh(router.id, what);
        expect(await shown()).toEqual(modem(2));
        failOver(agent);
        await deviceLink.refresh(router.id, what);
        await eventually(async () => expect(await shown()).toEqual(modem(1)));
      },
    );
  });

  it('changes notified by the router are in the list before they are acknowledged', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, completeAgent);
    await gateway.reconciled();
    agent.model.set('Device.Cellular.Interface.1.NetworkInUse', 'T-Mobile');
    agent.notify('c1', 'valueChange', { paramPath: 'Device.Cellular.Interface.1.NetworkInUse', paramValue: 'T-Mobile' });
    await agent.whenResponded('c1');
    expect(await fleet.deviceOf(router)).toMatchObject({ carrier: 'T-Mobile' });
    agent.model.set('Device.DeviceInfo.VendorConfigFile.1.Name', 'new.cfg');
    agent.notify('c2', 'valueChange', { paramPath: 'Device.DeviceInfo.VendorConfigFile.1.Name', paramValue: 'new.cfg' });
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ config: 'new.cfg' }));
  });
});

function respondToGet(agent: TestAgent, msgId: string, paths: readonly string[]): void {
  const path = paths[0]!;
  const value = minimalAgent.model.get(path);
  const dot = path.lastIndexOf('.') + 1;
  if (paths.length > 1) agent.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7005, errMsg: 'too much' });
  else if (value === undefined) agent.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7026, errMsg: 'no such path' });
  else {
    const resolvedPathResults = [{ resolvedPath: path.slice(0, dot), resultParams: { [path.slice(dot)]: value } }];
    agent.sendMessage(msgId, 'GET_RESP', 'response', 'getResp', {
      reqPathResults: [{ requestedPath: path, resolvedPathResults }],
    });
  }
}
