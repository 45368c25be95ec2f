import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeMac } from './identity.ts';
import { type RunCommand, DONE } from './model/definition.ts';
import { createModel } from './model/model.ts';
import { routerObjects } from './model/tree.ts';
import type { RouterHandle, RouterTiming } from './router.ts';
import { startAgent } from './start.ts';
import { type ReceivedNotification, TestController } from './testing/controller.ts';

/** Milliseconds instead of seconds, so that a test waits for events and not for time. */
const FAST: RouterTiming = {
  backoff: { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 },
  silenceMs: 60_000,
  valueChangePollMs: 10,
  graceMs: 5,
  bootMs: 10,
  callHomeMs: 60_000,
  retryMs: 5,
  profileMs: 5,
};
const SECRET = 's3cret/with?odd&characters';
const ROUTER = { serial: 'HL-0001', mac: makeMac(1), secret: SECRET, model: 'HL-500', firmware: '2.1.0', config: 'city.json' };

let controller: TestController;
let started: RouterHandle[];

beforeEach(async () => {
  controller = await TestController.start();
  started = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(started.map((router) => router.stop()));
  await controller.stop();
});

/** A router that has contacted the controller. */
async function connectRouter(timing: Partial<RouterTiming> = {}, extra: object = {}): Promise<RouterHandle> {
  const router = startAgent({ server: controller.url, router: { ...ROUTER, ...extra }, timing: { ...FAST, ...timing } });
  started.push(router);
  await controller.until(() => controller.connects.includes(router.endpointId));
  return router;
}

/** Wait for another connection of the router. */
async function reconnected(times: number): Promise<void> {
  await controller.until(() => controller.connects.length >= times);
}

function eventOf(received: ReceivedNotification | undefined): { name: string; params: ReadonlyMap<string, string> } {
  const notification = received?.notification;
  if (notification?.type !== 'event') throw new Error(`not an event: ${JSON.stringify(received)}`);
  return { name: notification.objPath + notification.eventName, params: notification.params };
}

async function get(router: RouterHandle, path: string): Promise<string | undefined> {
  const { reqPathResults } = await controller.request(router.endpointId, { type: 'get', paramPaths: [path], maxDepth: 0 });
  return reqPathResults[0]?.resolvedPathResults[0]?.resultParams.get(path.slice(path.lastIndexOf('.') + 1));
}

describe('connecting', () => {
  it('the first record is websocket_connect, at /usp/<secret>?eid=<endpoint id>', async () => {
    const router = await connectRouter();
    expect(router.endpointId).toBe('os::00B2D0-HL-0001');
    expect(controller.addresses).toEqual([`/usp/${encodeURIComponent(SECRET)}?eid=os%3A%3A00B2D0-HL-0001`]);
    expect(router.condition).toBe('connected');
  });

  it('DEV-09-partial model, firmware, config, carrier, IMSI, ICCID and number come from the router itself', async () => {
    const router = await connectRouter(
      {},
      { carrier: 'Testnet', imsi: '999700000000042', iccid: '8999999000000000042', msisdn: '12015550142' },
    );
    expect(await get(router, 'Device.DeviceInfo.ModelName')).toBe('HL-500');
    expect(await get(router, 'Device.DeviceInfo.SoftwareVersion')).toBe('2.1.0');
    expect(await get(router, 'Device.DeviceInfo.VendorConfigFile.1.Name')).toBe('city.json');
    expect(await get(router, 'Device.Cellular.Interface.1.NetworkInUse')).toBe('Testnet');
    expect(await get(router, 'Device.TrustedElements.SIM.1.IMSI')).toBe('999700000000042');
    expect(await get(router, 'Device.Cellular.Interface.1.USIM.ICCID')).toBe('8999999000000000042');
    expect(await get(router, 'Device.TrustedElements.SIM.1.MSISDN')).toBe('12015550142');
    expect(await get(router, 'Device.DeviceInfo.UpTime')).toMatch(/^\d\d?$/u);
  });

  it('pings are answered, so that the server knows it is alive', async () => {
    const router = await connectRouter();
    const socket = controller.socket(router.endpointId);
    const pong = new Promise<string>((resolve) => socket.once('pong', (data) => resolve(String(data))));
    socket.ping('beat');
    expect(await pong).toBe('beat');
  });

  it('DEV-08-partial a router reconnects by itself after the server was gone', async () => {
    const router = await connectRouter();
    const { port } = controller;
    await controller.stop();
    controller = await TestController.start(port);
    await controller.until(() => controller.connects.length === 1);
    expect(router.condition).toBe('connected');
  });

  it('DEV-08-partial a router without an eUICC follows the network of its SIM, also when there was none at its start', async () => {
    const router = await connectRouter({}, { eid: '' });
    const gone = new Promise<void>((resolve) => router.on('disconnected', resolve));
    router.lostNetwork(3_600_000);
    await gone;
    router.powerCut(0);
    await new Promise<void>((resolve) => router.on('booted', resolve));
    expect(router.condition).toBe('connecting');
    const again = router.whenConnected();
    router.lostNetwork(1);
    await again;
  });

  it('LIV-10-partial a router with a WAN port stays connected when its SIM loses its network, and is offline without both', async () => {
    const router = await connectRouter({}, { eid: '', wan: 'ethernet' });
    const gone = new Promise<void>((resolve) => router.on('disconnected', resolve));
    router.lostNetwork(3_600_000);
    expect(router.condition).toBe('connected');
    expect(await get(router, 'Device.Cellular.Interface.1.Status')).not.toBe('Up');
    router.powerCut(0);
    await reconnected(2);
    expect(await get(router, 'Device.IP.Interface.3.Status')).toBe('Up');
    router.breakNetwork('wan', true);
    await gone;
    expect(router.condition).toBe('connecting');
    const again = router.whenConnected();
    router.breakNetwork('wan', false);
    await again;
  });

  it('a rejected router keeps trying, and connects when its secret is corrected', async () => {
    const router = await connectRouter();
    controller.rejectWith = 401;
    const gone = new Promise<void>((resolve) => router.on('disconnected', resolve));
    controller.socket(router.endpointId).terminate();
    await gone;
    await controller.until(() => controller.rejections >= 2);
    expect(router.condition).toBe('connecting');
    controller.rejectWith = undefined;
    await reconnected(2);
  });

  it('a restarting server sends 1012, and the router reconnects', async () => {
    const router = await connectRouter();
    controller.socket(router.endpointId).close(1012);
    await reconnected(2);
    expect(router.condition).toBe('connected');
  });

  it('a text frame closes the socket with 1003', async () => {
    const router = await connectRouter();
    const socket = controller.socket(router.endpointId);
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.send('hello');
    expect(await closed).toBe(1003);
  });

  it('frames that are not USP do no harm', async () => {
    const router = await connectRouter();
    controller.socket(router.endpointId).send(Uint8Array.of(255, 255, 255));
    expect(await get(router, 'Device.DeviceInfo.SerialNumber')).toBe('HL-0001');
    expect(controller.connects).toHaveLength(1);
  });

  it('a socket without input from the server is dropped, and another one opened', async () => {
    const router = await connectRouter({ silenceMs: 30 });
    await reconnected(2);
    expect(controller.connects).toEqual([router.endpointId, router.endpointId]);
  });

  it('DEV-08-partial so is one whose date was set back, and its uptime goes on', async () => {
    const router = await connectRouter({ silenceMs: 30 });
    const before = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(before - 3_600_000);
    await reconnected(2);
    expect(Number(await get(router, 'Device.DeviceInfo.UpTime'))).toBeGreaterThanOrEqual(0);
  });

  it('a stopped router closes properly and stays away', async () => {
    const router = await connectRouter();
    const closed = new Promise<number>((resolve) => controller.socket(router.endpointId).once('close', resolve));
    await router.stop();
    expect(await closed).toBe(1001);
    expect(router.condition).toBe('stopped');
    router.reboot();
    expect(router.condition).toBe('stopped');
  });
});

describe('starting and restarting', () => {
  it('DEV-08-partial after a power cut it starts again: Boot! again, uptime from zero, the socket gone without a close', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    const closed = new Promise<number>((resolve) => controller.socket(router.endpointId).once('close', resolve));
    router.powerCut(20);
    expect(router.condition).toBe('off');
    expect(await closed).toBe(1006);
    await controller.until(() => controller.of('boot').length === 1);
    const boot = eventOf(controller.of('boot')[0]);
    expect(boot.name).toBe('Device.Boot!');
    expect(Object.fromEntries(boot.params)).toEqual({
      Cause: 'LocalReboot',
      CommandKey: '',
      FirmwareUpdated: 'false',
      ParameterMap: '{}',
    });
    expect(router.bootCount).toBe(2);
    expect(router.uptimeSeconds).toBeLessThan(60);
  });

  it('Device.Reboot() is answered before the restart, and its Boot! carries the command key once', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    const command = {
      type: 'operate',
      command: 'Device.Reboot()',
      commandKey: 'key-7',
      sendResp: true,
      inputArgs: new Map(),
    } as const;
    const response = await controller.request(router.endpointId, command);
    expect(response.operationResults).toEqual([
      { executedCommand: 'Device.Reboot()', result: { type: 'req_output_args', outputArgs: new Map() } },
    ]);
    await controller.until(() => controller.of('boot').length === 1);
    await waitUntilIdle(router);
    router.reboot();
    await controller.until(() => controller.of('boot').length === 2);
    const causes = controller.of('boot').map((received) => eventOf(received).params);
    expect(causes.map((params) => [params.get('Cause'), params.get('CommandKey')])).toEqual([
      ['RemoteReboot', 'key-7'],
      ['LocalReboot', ''],
    ]);
  });

  it('an unanswered Boot! is sent with its cause again after the next start', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    controller.acknowledges = false;
    await controller.request(router.endpointId, {
      type: 'operate',
      command: 'Device.Reboot()',
      commandKey: 'k',
      sendResp: true,
      inputArgs: new Map(),
    });
    await controller.until(() => controller.of('boot').length === 1);
    router.powerCut(0);
    await controller.until(() => controller.of('boot').length === 2);
    expect(eventOf(controller.of('boot').at(-1)).params.get('CommandKey')).toBe('k');
  });

  it('a factory reset deletes subscriptions and settings, and keeps the firmware', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    await controller.request(router.endpointId, {
      type: 'operate',
      command: 'Device.FactoryReset()',
      commandKey: '',
      sendResp: true,
      inputArgs: new Map(),
    });
    await reconnected(2);
    const { reqPathResults } = await controller.request(router.endpointId, {
      type: 'get_instances',
      objPaths: ['Device.LocalAgent.Subscription.'],
      firstLevelOnly: true,
    });
    expect(reqPathResults[0]).toMatchObject({ errCode: 0, currInsts: [] });
    expect(await get(router, 'Device.DeviceInfo.SoftwareVersion')).toBe('2.1.0');
    expect(await get(router, 'Device.DeviceInfo.VendorConfigFile.1.Name')).toBe('');
    expect(controller.received).toEqual([]);
  });

  it('NTF-01-partial a reset at the router itself is reported as soon as there is a new subscription, and once', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    router.factoryReset();
    await reconnected(2);
    expect(controller.received).toEqual([]);
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    await controller.until(() => controller.of('boot').length === 1);
    expect(eventOf(controller.of('boot')[0]).params.get('Cause')).toBe('LocalFactoryReset');
    // It answers this after it received our answer to its Boot!.
    expect(await get(router, 'Device.DeviceInfo.SoftwareVersion')).toBe('2.1.0');
    router.reboot();
    await controller.until(() => controller.of('boot').length === 2);
    expect(eventOf(controller.of('boot')[1]).params.get('Cause')).toBe('LocalReboot');
  });

  it('NTF-01-partial alarms are raised and cleared at different values, and a password change reports its time', async () => {
    const router = await connectRouter();
    const paths = {
      battery: 'Device.X_HIGHLINE_Vehicle.BatteryLow',
      thermal: 'Device.Cellular.Interface.*.X_HIGHLINE_ThermalProtection',
      password: 'Device.Users.User.1.X_HIGHLINE_PasswordChanged',
    };
    for (const [id, path] of Object.entries(paths)) await controller.subscribe(router.endpointId, id, 'ValueChange', path);
    const reported = (id: string) =>
      controller.of(id).map(({ notification }) => notification.type === 'value_change' && notification.paramValue);
    for (const percent of [21, 20, 25, 29, 21, 30, 25, undefined]) router.overrideBattery(percent);
    for (const degrees of [84, 85, 80, 76, 84, 75, 80, undefined]) router.overrideTemperature(degrees);
    router.changePassword();
    await controller.until(() => controller.of('password').length === 1);
    expect([reported('battery'), reported('thermal')]).toEqual([
      ['true', 'false'],
      ['true', 'false'],
    ]);
    expect(await get(router, paths.password)).toBe(reported('password')[0]);
    expect(Date.parse(String(reported('password')[0]))).toBeGreaterThan(0);
  });

  it('SAY-04-partial a parked vehicle says that its ignition is off before its router is, and on with the next start', async () => {
    const router = await connectRouter();
    const ignition = 'Device.X_HIGHLINE_Vehicle.Ignition';
    await controller.subscribe(router.endpointId, 'ignition', 'ValueChange', ignition);
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    router.park(400);
    await controller.until(() => controller.of('ignition').length === 1);
    const { notification } = controller.of('ignition')[0]!;
    expect(notification.type === 'value_change' && notification.paramValue).toBe('false');
    await controller.until(() => controller.of('boot').length === 1);
    expect(await get(router, ignition)).toBe('true');
  });

  it('a subscription that is not persistent ends with the next start', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'stays', 'Event', 'Device.Boot!');
    await controller.subscribe(router.endpointId, 'goes', 'Event', 'Device.Boot!', { Persistent: 'false' });
    router.reboot();
    await controller.until(() => controller.of('stays').length === 1);
    expect(await get(router, 'Device.LocalAgent.SubscriptionNumberOfEntries')).toBe('1');
    expect(controller.of('goes')).toEqual([]);
  });

  it('Boot! carries the parameters requested by the controller', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    const paramSettings = [
      { param: 'Enable', value: 'true', required: true },
      { param: 'ParameterName', value: 'Device.DeviceInfo.SoftwareVersion', required: true },
    ];
    await controller.request(router.endpointId, {
      type: 'add',
      allowPartial: false,
      createObjs: [{ objPath: 'Device.LocalAgent.Controller.1.BootParameter.', paramSettings }],
    });
    router.reboot();
    await controller.until(() => controller.of('boot').length === 1);
    const map = eventOf(controller.of('boot')[0]).params.get('ParameterMap');
    expect(JSON.parse(map ?? '')).toEqual({ 'Device.DeviceInfo.SoftwareVersion': '2.1.0' });
  });
});

describe('notifications', () => {
  it('an unanswered notification is sent again under the same msg_id until it is answered', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!');
    controller.acknowledges = false;
    router.reboot();
    const { received } = controller;
    await controller.until(() => received.length > 0);
    controller.socket(router.endpointId).terminate();
    const before = received.length;
    await controller.until(() => received.length > before);
    controller.acknowledges = true;
    controller.socket(router.endpointId).terminate();
    const unacknowledged = received.length;
    await controller.until(() => received.length > unacknowledged);
    const responded = received.length;
    controller.socket(router.endpointId).terminate();
    await reconnected(controller.connects.length + 1);
    await waitUntilIdle(router);
    expect(controller.of('boot')).toHaveLength(1);
    expect(received).toHaveLength(responded);
  });

  it('without retry it is sent once and requests no answer', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'boot', 'Event', 'Device.Boot!', { NotifRetry: 'false' });
    router.reboot();
    await controller.until(() => controller.of('boot').length === 1);
    expect(controller.of('boot')[0]?.sendResp).toBe(false);
  });

  it('Periodic! comes at the interval that the controller sets', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'beat', 'Event', 'Device.LocalAgent.Periodic!');
    await setParam(router, 'Device.LocalAgent.Controller.1.', 'PeriodicNotifInterval', '1');
    await controller.until(() => controller.of('beat').length === 1);
    expect(eventOf(controller.of('beat')[0]).name).toBe('Device.LocalAgent.Periodic!');
  });

  it('ValueChange reports a new value once, and nothing of a parameter that changes all the time', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'name', 'ValueChange', 'Device.DeviceInfo.');
    await setParam(router, 'Device.DeviceInfo.', 'FriendlyName', 'Bus 12');
    await controller.until(() => controller.of('name').length === 1);
    expect(controller.of('name').map(({ notification }) => notification)).toEqual([
      { type: 'value_change', paramPath: 'Device.DeviceInfo.FriendlyName', paramValue: 'Bus 12' },
    ]);
  });

  it('created and deleted objects are reported to subscribers', async () => {
    const router = await connectRouter();
    await controller.subscribe(router.endpointId, 'new', 'ObjectCreation', 'Device.BulkData.Profile.');
    await controller.subscribe(router.endpointId, 'gone', 'ObjectDeletion', 'Device.BulkData.Profile.');
    const profile = await addProfile(router, [], '60');
    await controller.request(router.endpointId, { type: 'delete', allowPartial: false, objPaths: [profile] });
    await controller.until(() => controller.of('gone').length === 1);
    expect(controller.received.map(({ notification }) => notification)).toEqual([
      { type: 'obj_creation', objPath: profile, uniqueKeys: new Map([['Alias', 'cpe-1']]) },
      { type: 'obj_deletion', objPath: profile },
    ]);
  });

  it('an asynchronous command ends with OperationComplete, also when a restart interrupts it', async () => {
    const command = (run: RunCommand['run']): RunCommand => ({ kind: 'CMD_ASYNC', inputs: [], outputs: [], run });
    const commands = { 'Quick()': command(async () => DONE), 'Endless()': command(() => new Promise(() => undefined)) };
    const model = createModel([...routerObjects, { path: 'Device.X_HIGHLINE_Test.', params: {}, commands }]);
    const router = startAgent({ server: controller.url, router: ROUTER, timing: FAST, model });
    started.push(router);
    await controller.until(() => controller.connects.length === 1);
    await controller.subscribe(router.endpointId, 'done', 'OperationComplete', 'Device.');
    const start = (name: string) => {
      const request = { type: 'operate', command: `Device.X_HIGHLINE_Test.${name}`, commandKey: name, sendResp: true } as const;
      return controller.request(router.endpointId, { ...request, inputArgs: new Map() });
    };
    const response = await start('Endless()');
    expect(response.operationResults[0]?.result).toEqual({ type: 'req_obj_path', value: 'Device.LocalAgent.Request.1.' });
    await start('Quick()');
    await controller.until(() => controller.of('done').length === 1);
    router.powerCut(0);
    await controller.until(() => controller.of('done').length === 2);
    expect(controller.of('done').map(({ notification }) => notification)).toMatchObject([
      { objPath: 'Device.X_HIGHLINE_Test.', commandName: 'Quick()', commandKey: 'Quick()', result: { type: 'req_output_args' } },
      { commandName: 'Endless()', result: { type: 'cmd_failure', errCode: 7022 } },
    ]);
    expect(await get(router, 'Device.LocalAgent.RequestNumberOfEntries')).toBe('0');
  });

  it("telemetry is sent as Push! with the names, numbers and the router's own time", async () => {
    const router = await connectRouter({}, { clockSkewSeconds: 3600 });
    await controller.subscribe(router.endpointId, 'push', 'Event', 'Device.BulkData.Profile.*.Push!');
    const profile = await addProfile(
      router,
      ['Device.Cellular.Interface.*.RSRP', 'Device.DeviceInfo.PowerStatus.', 'Device.Nothing.X'],
      '86400',
    );
    await controller.request(router.endpointId, {
      type: 'operate',
      command: `${profile}ForceCollection()`,
      commandKey: '',
      sendResp: true,
      inputArgs: new Map(),
    });
    await controller.until(() => controller.of('push').length === 1);
    const push = eventOf(controller.of('push')[0]);
    expect(push.name).toBe(`${profile}Push!`);
    const [report] = (JSON.parse(push.params.get('Data') ?? '') as { Report: { [name: string]: unknown }[] }).Report;
    expect(report?.['Device.Cellular.Interface.1.RSRP']).toSatisfy((value) => Number.isInteger(value) && Number(value) < -70);
    expect(report?.['Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage']).toSatisfy(
      (value) => Number(value) >= 12_000 && Number(value) <= 14_400,
    );
    expect(Math.abs(Number(report?.['CollectionTime']) - Date.now() / 1000 - 3600)).toBeLessThan(60);
  });
});

describe('injected faults', () => {
  it('DEV-08-partial without coverage it is silent on an open socket, and sends again on the same one', async () => {
    const router = await connectRouter();
    const socket = controller.socket(router.endpointId);
    const responded = new Promise<string>((resolve) => socket.once('pong', () => resolve(router.condition)));
    router.lostCoverage(50);
    expect(router.condition).toBe('dark');
    socket.ping();
    // A pong would mean that data got through without coverage.
    expect(await responded).toBe('connected');
    expect(await get(router, 'Device.DeviceInfo.SerialNumber')).toBe('HL-0001');
    expect(controller.connects).toHaveLength(1);
  });

  it('DEV-08-partial a server that dropped a silent socket gets a new connection when coverage is back', async () => {
    const router = await connectRouter();
    router.lostCoverage(40);
    controller.socket(router.endpointId).terminate();
    await reconnected(2);
    expect(router.condition).toBe('connected');
  });

  it('a slow link delays the answer', async () => {
    const router = await connectRouter();
    router.slowLink(40);
    const before = performance.now();
    await get(router, 'Device.DeviceInfo.SerialNumber');
    expect(performance.now() - before).toBeGreaterThanOrEqual(75);
    router.slowLink(0);
  });
});

/** Earlier messages of the controller have been processed: answers come in order. */
async function waitUntilIdle(router: RouterHandle): Promise<void> {
  await get(router, 'Device.DeviceInfo.SerialNumber');
}

async function setParam(router: RouterHandle, objPath: string, param: string, value: string): Promise<void> {
  const updateObjs = [{ objPath, paramSettings: [{ param, value, required: true }] }];
  await controller.request(router.endpointId, { type: 'set', allowPartial: false, updateObjs });
}

/** Add a bulk data profile that reports `references`; returns its path. */
async function addProfile(
  router: RouterHandle,
  references: string[],
  interval: string,
  extra: { [param: string]: string } = {},
): Promise<string> {
  const settings = Object.entries({ Enable: 'true', ReportingInterval: interval, ...extra });
  const paramSettings = settings.map(([param, value]) => ({ param, value, required: true }));
  const added = await controller.request(router.endpointId, {
    type: 'add',
    allowPartial: false,
    createObjs: [{ objPath: 'Device.BulkData.Profile.', paramSettings }],
  });
  const status = added.createdObjResults[0]?.operStatus;
  if (status?.type !== 'oper_success') throw new Error('no profile');
  const createObjs = references.map((value) => ({
    objPath: `${status.instantiatedPath}Parameter.`,
    paramSettings: [{ param: 'Reference', value, required: true }],
  }));
  await controller.request(router.endpointId, { type: 'add', allowPartial: false, createObjs });
  return status.instantiatedPath;
}
