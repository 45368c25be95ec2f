import { normalizeIccid } from '@highline/usp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeIccid, makeMac } from '../identity.ts';
import type { Log } from '../log.ts';
import type { RouterHandle, RouterTiming } from '../router.ts';
import { startAgent } from '../start.ts';
import { TestController } from '../testing/controller.ts';
import { EsimCloud, SIM } from '../testing/esim-cloud.ts';

const FAST: Partial<RouterTiming> = {
  backoff: { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 },
  valueChangePollMs: 10,
  graceMs: 5,
  bootMs: 10,
  retryMs: 2,
  profileMs: 4,
  callHomeMs: 60_000,
};
const FACTORY_PROFILE = makeIccid(41);
const ROUTER = {
  serial: 'HL-0001',
  mac: makeMac(1),
  secret: 's',
  model: 'HL-500',
  iccid: FACTORY_PROFILE,
  carrier: 'Testnet',
  apn: 'born',
};

let controller: TestController;
let started: RouterHandle[];

beforeEach(async () => {
  controller = await TestController.start();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((router) => router.stop()));
  await controller.stop();
});

async function start(
  timing: Partial<RouterTiming> = {},
  more: object = {},
  log?: Log,
): Promise<{ router: RouterHandle; cloud: EsimCloud }> {
  const router = startAgent({
    server: controller.url,
    router: { ...ROUTER, ...more },
    timing: { ...FAST, ...timing },
    ...(log === undefined ? {} : { log }),
  });
  started.push(router);
  await controller.until(() => controller.connects.includes(router.endpointId));
  await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
  return { router, cloud: new EsimCloud(controller, router.endpointId) };
}

/** With a second profile on the chip, not in use. */
async function startWithTwo(timing: Partial<RouterTiming> = {}, matchingId = 'A1') {
  const found = await start(timing);
  await found.cloud.download('bring', matchingId);
  await found.cloud.endOf('bring');
  return found;
}

describe('a profile that is downloaded', () => {
  it('SIM-10-partial is on the chip afterwards, not in use, with a good ICCID and its settings', async () => {
    const { router, cloud } = await start();
    await controller.subscribe(router.endpointId, 'stages', 'ValueChange', `${SIM}X_HIGHLINE_DownloadState`);
    const more = { Name: 'Depot', APN: 'iot.depot', APN2: 'second', Priority: '3' };
    expect(await cloud.download('d1', 'A1', more)).toMatchObject({ type: 'req_obj_path' });
    const end = await cloud.endOf('d1');
    expect(end).toEqual({ Profile: `${SIM}Profile.2.`, ICCID: expect.any(String) as string, Carrier: 'Vodafone' });
    const profile = await cloud.read(`${SIM}Profile.2.`);
    expect(normalizeIccid(profile['ICCID'] ?? '')).toBe((end as Record<string, string>)['ICCID']);
    expect(profile).toMatchObject({
      Name: 'Depot',
      State: 'Inactive',
      Class: 'Operational',
      X_HIGHLINE_Carrier: 'Vodafone',
      X_HIGHLINE_Preloaded: 'false',
      X_HIGHLINE_APN: 'iot.depot',
      X_HIGHLINE_APN2: 'second',
      X_HIGHLINE_Priority: '3',
    });
    const reported = controller.of('stages').map(({ notification: n }) => (n.type === 'value_change' ? n.paramValue : ''));
    expect(reported).toEqual(['Downloading', 'Installing', '']);
    expect(await cloud.read(`${SIM}Profile.1.`)).toMatchObject({
      ICCID: FACTORY_PROFILE,
      State: 'Active',
      X_HIGHLINE_Preloaded: 'true',
    });
    expect((await cloud.read('Device.LocalAgent.'))['RequestNumberOfEntries']).toBe('0');
  });

  it('has the known ICCID, unless its code belongs to another', async () => {
    const { cloud } = await start();
    const iccid = makeIccid(5);
    await cloud.download('d1', 'A1', { ICCID: iccid });
    expect(await cloud.endOf('d1')).toMatchObject({ ICCID: iccid });
    await cloud.download('d2', 'MISMATCH-1', { ICCID: makeIccid(6) });
    expect(await cloud.endOf('d2')).toMatch(/^iccid-mismatch: /u);
  });

  it.each([
    ['FAIL-1', /^download-failed: /u],
    ['UNREACHABLE', /^unreachable: /u],
    ['A1', /^download-failed: .*already/u],
    ['BIG-1', /^out-of-memory: /u],
  ])('%s ends with its reason', async (matchingId, reason) => {
    const { cloud } = await startWithTwo();
    await cloud.download('d1', matchingId);
    expect(await cloud.endOf('d1')).toMatch(reason);
    expect((await cloud.read(SIM))['ProfileNumberOfEntries']).toBe('2');
  });

  it('SIM-07-partial the fifth does not fit, counting the preloaded one', async () => {
    const { cloud } = await start();
    for (const id of ['A1', 'A2', 'A3', 'A4']) {
      await cloud.download(id, id);
      await cloud.endOf(id);
    }
    expect(cloud.ends('A3')).toMatchObject([{ Profile: `${SIM}Profile.4.` }]);
    expect(cloud.ends('A4')).toEqual([expect.stringMatching(/^out-of-memory: /u)]);
    await cloud.delete('x1', 3);
    await cloud.endOf('x1');
    await cloud.download('again', 'A4');
    // Instance numbers are never reused.
    expect(await cloud.endOf('again')).toMatchObject({ Profile: `${SIM}Profile.5.` });
    expect((await cloud.read(`${SIM}Profile.5.`))['X_HIGHLINE_Priority']).toBe('5');
  });

  it.each([
    [{ ActivationCode: 'hello' }, /^invalid-code: /u],
    [{ ActivationCode: '1$smdp.example$A$$1' }, /^invalid-code: .*confirmation/u],
    [{ ICCID: '89123' }, /^iccid-mismatch: /u],
    [{ ActivationCode: 'preload' }, /^iccid-mismatch: /u],
    [{ Priority: '0' }, /Priority/u],
    [{ APN: 'x'.repeat(101) }, /longer/u],
  ])('invalid arguments are rejected at once: %j', async (more, reason) => {
    const { cloud } = await start();
    expect(await cloud.download('d1', 'A1', more)).toMatchObject({
      type: 'cmd_failure',
      errCode: 7027,
      errMsg: expect.stringMatching(reason) as string,
    });
  });

  it('preload sets up the profile from the factory, when its ICCID is right', async () => {
    const { cloud } = await start();
    await cloud.download('p1', '', { ActivationCode: 'pre', ICCID: makeIccid(7), APN: 'own' });
    expect(await cloud.endOf('p1')).toMatch(/^iccid-mismatch: /u);
    const response = await cloud.download('p2', '', {
      ActivationCode: 'preload',
      ICCID: FACTORY_PROFILE,
      APN: 'own',
      Name: 'preloaded_eSIM',
    });
    // Completed at once, but still reported after the response.
    expect(response).toMatchObject({ type: 'req_obj_path', value: expect.stringMatching(/Request\.\d+\.$/u) as string });
    expect(cloud.ends('p2')).toEqual([]);
    expect(await cloud.endOf('p2')).toEqual({ Profile: `${SIM}Profile.1.`, ICCID: FACTORY_PROFILE, Carrier: 'Testnet' });
    // It is in use: its new APN requires a new connection.
    await cloud.expectContact(2);
    expect(await cloud.read(`${SIM}Profile.1.`)).toMatchObject({ Name: 'preloaded_eSIM', X_HIGHLINE_APN: 'own' });
    expect((await cloud.read('Device.Cellular.AccessPoint.1.'))['APN']).toBe('own');
  });

  it('the same key is the same job, while it runs and after it ended; another one has to wait', async () => {
    const { cloud } = await start({ profileMs: 400 });
    const first = await cloud.download('d1', 'A1');
    expect(await cloud.download('d1', 'A1')).toEqual(first);
    expect(await cloud.download('d2', 'A2')).toMatchObject({ type: 'cmd_failure', errCode: 7005 });
    const end = await cloud.endOf('d1');
    const again = await cloud.download('d1', 'A1');
    expect(again.type === 'req_output_args' && Object.fromEntries(again.outputArgs)).toEqual(end);
  });

  it('without coverage it pauses, and starts again when coverage is back', async () => {
    const { router, cloud } = await start({ profileMs: 60 });
    await cloud.download('d1', 'A1');
    router.lostCoverage(30);
    expect(await cloud.endOf('d1')).toMatchObject({ Carrier: 'Vodafone' });
  });

  it('SIM-10-partial without a network it waits, and does not fill the log', async () => {
    const interruptions: string[] = [];
    const { router, cloud } = await start({ profileMs: 50 }, {}, (_level, event) => {
      if (event === 'esim.interrupted') interruptions.push(event);
    });
    await cloud.download('d1', 'A1');
    router.lostNetwork(100);
    router.powerCut(0);
    expect(await cloud.endOf('d1')).toMatchObject({ Profile: `${SIM}Profile.2.` });
    expect(interruptions.length).toBeLessThanOrEqual(2);
  });
});

describe('a router without an eUICC', () => {
  it('has no profiles and no commands for them', async () => {
    const { router, cloud } = await start({}, { eid: '' });
    expect(await cloud.read(SIM)).toMatchObject({ Type: 'UICC', ICCID: FACTORY_PROFILE, EID: '' });
    expect(await cloud.read(`${SIM}Profile.`)).toEqual({});
    expect(await cloud.download('d1', 'A1')).toMatchObject({ type: 'cmd_failure', errCode: 7022 });
    const objPaths = [SIM.replace('1', '{i}')];
    const query = { type: 'get_supported_dm', objPaths, firstLevelOnly: false } as const;
    const all = { returnCommands: true, returnEvents: true, returnParams: true, returnUniqueKeySets: true };
    const { reqObjResults } = await controller.request(router.endpointId, { ...query, ...all });
    expect(reqObjResults[0]?.supportedObjs.flatMap(({ supportedCommands }) => supportedCommands)).toEqual([]);
  });
});

describe('a profile that is enabled', () => {
  it('SIM-10-partial is in use once the router reconnects over it: number, carrier and APN are its own', async () => {
    const { router, cloud } = await startWithTwo();
    await controller.subscribe(router.endpointId, 'sim', 'ValueChange', `${SIM}ICCID,Device.Cellular.Interface.1.NetworkInUse`);
    const before = await cloud.read(SIM);
    expect(await cloud.enable('e1', 2)).toMatchObject({ type: 'req_obj_path' });
    await cloud.expectContact(2);
    const { ICCID } = await cloud.read(`${SIM}Profile.2.`);
    expect(await cloud.endOf('e1')).toEqual({ Profile: `${SIM}Profile.2.`, ICCID });
    const after = await cloud.read(SIM);
    expect(after).toMatchObject({ ICCID, 'Profile.1.State': 'Inactive', 'Profile.2.State': 'Active' });
    expect([after['IMSI'], after['MSISDN']]).not.toContain(before['IMSI']);
    expect(after['MSISDN']).not.toBe(before['MSISDN']);
    const interface1 = await cloud.read('Device.Cellular.Interface.1.');
    expect(interface1).toMatchObject({ NetworkInUse: 'Vodafone', 'USIM.ICCID': ICCID, 'USIM.IMSI': after['IMSI'] });
    expect((await cloud.read('Device.Cellular.AccessPoint.1.'))['APN']).toBe('iot');
    await controller.until(() => controller.of('sim').length >= 2);
    const reported = controller.of('sim').map(({ notification: n }) => (n.type === 'value_change' ? n.paramValue : ''));
    expect(new Set(reported)).toEqual(new Set([ICCID, 'Vodafone']));
    expect(router.bootCount).toBe(1);
  });

  it('that was already in use is done at once, without a new connection', async () => {
    const { cloud } = await start();
    await cloud.enable('e1', 1);
    expect(await cloud.endOf('e1')).toEqual({ Profile: `${SIM}Profile.1.`, ICCID: FACTORY_PROFILE });
    expect(controller.connects).toHaveLength(1);
  });

  it('SIM-10-partial that cannot connect is replaced by the previous one, with a reason', async () => {
    const { cloud } = await startWithTwo({ callHomeMs: 150 }, 'NOCONN-1');
    await cloud.enable('e1', 2);
    await cloud.expectContact(2);
    expect(await cloud.endOf('e1')).toMatch(/^activation-failed: /u);
    expect(await cloud.read(SIM)).toMatchObject({
      ICCID: FACTORY_PROFILE,
      'Profile.1.State': 'Active',
      'Profile.2.State': 'Inactive',
    });
  });

  it('that was not connected in three starts is replaced too', async () => {
    const { router, cloud } = await startWithTwo({}, 'NOCONN-1');
    const gone = new Promise<void>((resolve) => router.on('disconnected', resolve));
    await cloud.enable('e1', 2);
    await gone;
    for (let starts = 0; starts < 4; starts++) {
      const booted = new Promise<void>((resolve) => router.on('booted', resolve));
      router.powerCut(0);
      await booted;
    }
    await cloud.expectContact(2);
    expect(await cloud.endOf('e1')).toMatch(/^activation-failed: /u);
  });
});

describe('a profile that is deleted', () => {
  it('that is not in use is deleted without a new connection', async () => {
    const { cloud } = await startWithTwo();
    const { ICCID } = await cloud.read(`${SIM}Profile.2.`);
    await cloud.delete('x1', 2);
    expect(await cloud.endOf('x1')).toEqual({ Profile: `${SIM}Profile.2.`, ICCID });
    expect(await cloud.read(`${SIM}Profile.`)).toMatchObject({ '1.State': 'Active' });
    expect((await cloud.read(SIM))['ProfileNumberOfEntries']).toBe('1');
    expect(controller.connects).toHaveLength(1);
  });

  it('SIM-08-partial that is in use: the router first switches to the next one by priority that connects', async () => {
    const { cloud } = await start({ callHomeMs: 1_000 });
    await cloud.download('d2', 'A2', { Priority: '4' });
    await cloud.endOf('d2');
    await cloud.download('d3', 'NOCONN-3', { Priority: '1' });
    await cloud.endOf('d3');
    await setPriorities(cloud, { 1: '3', 2: '4', 3: '1' });
    await cloud.enable('e2', 2);
    await cloud.expectContact(2);
    await cloud.endOf('e2');
    await cloud.delete('x2', 2);
    await cloud.expectContact(3);
    expect(await cloud.endOf('x2')).toMatchObject({ Profile: `${SIM}Profile.2.` });
    expect(await cloud.read(SIM)).toMatchObject({
      ICCID: FACTORY_PROFILE,
      ProfileNumberOfEntries: '2',
      'Profile.1.State': 'Active',
    });
  });

  it('SIM-08-partial that is the only one that connects: the end is reported, and then the router is unreachable', async () => {
    const { router, cloud } = await startWithTwo({ callHomeMs: 1_000 });
    await cloud.enable('e2', 2);
    await cloud.expectContact(2);
    await cloud.endOf('e2');
    router.lostNetwork(3_600_000, FACTORY_PROFILE);
    controller.acknowledges = false;
    await cloud.delete('x2', 2);
    await cloud.expectContact(3);
    await cloud.endOf('x2');
    expect(await cloud.read(SIM)).toMatchObject({ ProfileNumberOfEntries: '2', 'Profile.2.State': 'Active' });
    expect(await cloud.enable('e1', 1)).toMatchObject({ type: 'cmd_failure', errCode: 7005 });
    controller.acknowledges = true;
    controller.socket(router.endpointId).terminate();
    await controller.until(() => cloud.ends('x2').length > 1);
    await controller.until(() => controller.openCount === 0);
    router.lostNetwork(0, FACTORY_PROFILE);
    await cloud.expectContact(5);
    expect(await cloud.read(SIM)).toMatchObject({ ICCID: FACTORY_PROFILE, ProfileNumberOfEntries: '1' });
  });

  it('SIM-08-partial that is in use where only the WAN port connects: the end is reported over it, and the next one is in use', async () => {
    const { router, cloud } = await start({ callHomeMs: 300 }, { wan: 'ethernet' });
    await cloud.download('b', 'B1');
    await cloud.endOf('b');
    await cloud.enable('e2', 2);
    await cloud.expectContact(2);
    await cloud.endOf('e2');
    router.lostNetwork(3_600_000, FACTORY_PROFILE);
    router.lostNetwork(3_600_000);
    await cloud.expectContact(3);
    await cloud.delete('x2', 2);
    expect(await cloud.endOf('x2')).toMatchObject({ Profile: `${SIM}Profile.2.` });
    await cloud.expectContact(6);
    expect(await cloud.read(SIM)).toMatchObject({ ProfileNumberOfEntries: '1', 'Profile.1.State': 'Active' });
    expect(await cloud.download('c', 'C1')).toMatchObject({ type: 'req_obj_path' });
  });

  it('that is preloaded is not deleted', async () => {
    const { cloud } = await start();
    expect(await cloud.delete('x1', 1)).toMatchObject({
      type: 'cmd_failure',
      errCode: 7027,
      errMsg: expect.stringMatching(/^preloaded: /u) as string,
    });
    expect(await cloud.delete('x9', 9)).toMatchObject({ type: 'cmd_failure', errCode: 7016 });
  });
});

describe('a router with several profiles', () => {
  it('SIM-10-partial whose current profile finds no network reconnects over another, by itself', async () => {
    const { router, cloud } = await startWithTwo({ callHomeMs: 100 });
    router.lostNetwork(3_600_000);
    await cloud.expectContact(2);
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.1.State': 'Inactive', 'Profile.2.State': 'Active' });
    expect((await cloud.read('Device.Cellular.Interface.1.'))['Status']).toBe('Up');
  });

  it.each([false, true])(
    'SIM-10-partial goes on to the next while one brings it no data, power cut meanwhile: %j',
    async (isCut) => {
      const switches: unknown[] = [];
      const { router, cloud } = await start({ callHomeMs: 400 }, {}, (_level, event, fields) => {
        if (event !== 'esim.no-network') return;
        switches.push(fields?.['next']);
        if (isCut && switches.length === 1) setImmediate(() => router.powerCut(0));
      });
      await cloud.download('b', 'B1', { APN: 'noconn.apn' });
      await cloud.endOf('b');
      await cloud.download('c', 'C1', { APN: 'iot.c' });
      await cloud.endOf('c');
      await cloud.set('Device.Cellular.AccessPoint.1.', { APN: 'fleet.a' });
      await cloud.expectContact(2);
      const before = controller.connects.length;
      router.lostNetwork(3_600_000);
      await cloud.expectContact(before + 1);
      expect(await cloud.read(SIM)).toMatchObject({ 'Profile.2.State': 'Inactive', 'Profile.3.State': 'Active' });
      expect(await cloud.read('Device.Cellular.AccessPoint.1.APN')).toMatchObject({ '': 'iot.c' });
      expect(switches).toHaveLength(2);
    },
  );

  it('SIM-10-partial with a WAN port stays connected over it without a network of its profile, and finds no profile good over it', async () => {
    const { router, cloud } = await start({ callHomeMs: 400 }, { wan: 'ethernet' });
    const enable = async (key: string, profile: number) => {
      const before = controller.connects.length;
      await cloud.enable(key, profile);
      void cloud.expectContact(before + 1);
      return cloud.endOf(key);
    };
    await cloud.download('b', 'B1', { APN: 'noconn.apn' });
    await cloud.endOf('b');
    expect(await enable('e1', 2)).toMatch(/^activation-failed: /u);
    await cloud.download('c', 'C1');
    await cloud.endOf('c');
    expect(await enable('e2', 3)).toMatchObject({ Profile: `${SIM}Profile.3.` });
    const before = controller.connects.length;
    router.lostNetwork(3_600_000);
    await cloud.expectContact(before + 1);
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.1.State': 'Inactive', 'Profile.3.State': 'Active' });
    router.breakNetwork('wan', true);
    await cloud.expectContact(before + 2);
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.1.State': 'Active', 'Profile.3.State': 'Inactive' });
  });

  it('SIM-10-partial with a WAN port finds a profile good, and a new APN, once a network has accepted the profile', async () => {
    const { router, cloud } = await start({}, { wan: 'ethernet' });
    await cloud.download('b', 'B1');
    await cloud.endOf('b');
    const iccid = (await cloud.read(`${SIM}Profile.2.`))['ICCID'] ?? '';
    const withoutNetwork = async (change: () => Promise<unknown>) => {
      const before = controller.connects.length;
      await change();
      await cloud.expectContact(before + 1);
      router.lostNetwork(0, iccid);
      await cloud.expectContact(before + 2);
    };
    router.lostNetwork(3_600_000, iccid);
    await withoutNetwork(() => cloud.enable('e1', 2));
    expect(await cloud.endOf('e1')).toMatchObject({ Profile: `${SIM}Profile.2.` });
    const before = controller.connects.length;
    router.lostNetwork(3_600_000, iccid);
    await cloud.expectContact(before + 1);
    await withoutNetwork(() => cloud.set(`${SIM}Profile.2.`, { X_HIGHLINE_APN: 'fleet.new' }));
    expect(await cloud.read(`${SIM}Profile.2.`)).toMatchObject({ State: 'Active', X_HIGHLINE_APN: 'fleet.new' });
  });

  it('SIM-10-partial with a WAN port that is back stays on an unproven profile and on its connection, and connects over the profile once the WAN port is lost', async () => {
    const switches: unknown[] = [];
    const { router, cloud } = await start({ callHomeMs: 200, profileMs: 600 }, { wan: 'ethernet' }, (_level, event, fields) => {
      if (event === 'esim.no-network' && switches.push(fields?.['next']) === 1)
        setImmediate(() => router.breakNetwork('wan', false));
    });
    router.breakNetwork('wan', true);
    await cloud.expectContact(2);
    await cloud.download('b', 'B1', { APN: 'noconn.apn' });
    await cloud.endOf('b');
    router.lostNetwork(3_600_000);
    await cloud.expectContact(3);
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.1.State': 'Inactive', 'Profile.2.State': 'Active' });
    await cloud.set(`${SIM}Profile.2.`, { X_HIGHLINE_APN: 'iot.b' });
    router.lostNetwork(0, switches[0] as string);
    await expect.poll(() => cloud.read('Device.Cellular.Interface.1.')).toMatchObject({ Status: 'Up' });
    // Takes longer than a profile has to call home.
    await cloud.download('c', 'FAIL-1');
    await cloud.endOf('c');
    expect(switches).toHaveLength(1);
    expect(controller.connects).toHaveLength(3);
    router.breakNetwork('wan', true);
    await cloud.expectContact(4);
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.2.State': 'Active' });
  });

  it.each([
    ['the network fail-over', 'noconn.apn'],
    ['a switch that fails', 'noconn.apn'],
    ['a switch and back', 'iot.b'],
  ])('SIM-10-partial has the APN of its access point again when it is back on its profile: %s', async (way, apn) => {
    const { router, cloud } = await start({ callHomeMs: 400 }, {}, (_level, event) => {
      if (event === 'esim.no-network') router.lostNetwork(0, FACTORY_PROFILE);
    });
    await cloud.download('b', 'B1', { APN: apn });
    await cloud.endOf('b');
    await cloud.set('Device.Cellular.AccessPoint.1.', { APN: 'fleet.a' });
    await cloud.expectContact(2);
    const before = controller.connects.length;
    if (way === 'the network fail-over') router.lostNetwork(3_600_000);
    else await cloud.enable('e', 2);
    await cloud.expectContact(before + 1);
    if (apn === 'iot.b') {
      await cloud.endOf('e');
      await cloud.enable('back', 1);
      await cloud.expectContact(before + 2);
    }
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.1.State': 'Active' });
    expect(await cloud.read('Device.Cellular.AccessPoint.1.APN')).toMatchObject({ '': 'fleet.a' });
  });

  it('SIM-07-partial tries an APN once more when it is back on its profile, and goes back to the one before', async () => {
    const { router, cloud } = await start({ callHomeMs: 400, graceMs: 100 }, {}, (_level, event) => {
      if (event === 'esim.no-network') router.lostNetwork(0, FACTORY_PROFILE);
    });
    await cloud.download('b', 'B1', { APN: 'noconn.apn' });
    await cloud.endOf('b');
    await cloud.set(`${SIM}Profile.1.`, { X_HIGHLINE_APN: 'noconn.apn' });
    router.lostNetwork(3_600_000);
    await cloud.expectContact(2);
    expect(await cloud.read(`${SIM}Profile.1.`)).toMatchObject({ State: 'Active', X_HIGHLINE_APN: 'born' });
  });

  it('stays on the current one when its network is back soon', async () => {
    const { router, cloud } = await startWithTwo();
    router.lostNetwork(20);
    await cloud.expectContact(2);
    expect(await cloud.read(SIM)).toMatchObject({ 'Profile.1.State': 'Active' });
  });

  it('stores names, access points and priorities, and switches nothing because of them', async () => {
    const { router, cloud } = await startWithTwo();
    await setPriorities(cloud, { 1: '2', 2: '1' });
    expect(await cloud.read(`${SIM}Profile.2.`)).toMatchObject({ X_HIGHLINE_Priority: '1', State: 'Inactive' });
    const settings = { Name: 'Own', X_HIGHLINE_APN: 'a', X_HIGHLINE_APN2: 'b' };
    expect((await cloud.set(`${SIM}Profile.1.`, settings)).type).toBe('set_resp');
    await cloud.expectContact(2);
    expect((await cloud.read('Device.Cellular.AccessPoint.1.'))['APN']).toBe('a');
    expect((await cloud.set(`${SIM}Profile.1.`, { X_HIGHLINE_Priority: '0' })).type).toBe('error');
    expect((await cloud.set(`${SIM}Profile.1.`, { ICCID: FACTORY_PROFILE })).type).toBe('error');
    expect(router.bootCount).toBe(1);
  });

  it('keeps them and their settings over a factory reset, and completes running commands', async () => {
    const { router, cloud } = await startWithTwo({ profileMs: 50 });
    await cloud.set(`${SIM}Profile.2.`, { Name: 'Own' });
    await cloud.download('d3', 'A3');
    router.factoryReset();
    await controller.until(() => controller.connects.length >= 2);
    await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
    expect(await cloud.endOf('d3')).toMatchObject({ Profile: `${SIM}Profile.3.` });
    expect(await cloud.read(`${SIM}Profile.2.`)).toMatchObject({ Name: 'Own', X_HIGHLINE_APN: 'iot' });
    expect((await cloud.read('Device.LocalAgent.'))['RequestNumberOfEntries']).toBe('0');
  });
});

async function setPriorities(cloud: EsimCloud, priorities: Readonly<Record<number, string>>): Promise<void> {
  for (const [profile, value] of Object.entries(priorities))
    await cloud.set(`${SIM}Profile.${profile}.`, { X_HIGHLINE_Priority: value });
}

describe('another APN of the current profile', () => {
  const APN = `${SIM}Profile.1.X_HIGHLINE_APN`;
  const set = (cloud: EsimCloud, apn: string) => cloud.set(`${SIM}Profile.1.`, { X_HIGHLINE_APN: apn });
  const connects = (endpointId: string) => controller.connects.filter((eid) => eid === endpointId).length;

  it('SIM-07-partial is kept once the router has called home with it', async () => {
    const { router, cloud } = await start();
    expect(await cloud.read(APN)).toMatchObject({ '': 'born' });
    await set(cloud, 'fleet.new');
    await cloud.expectContact(2);
    expect(connects(router.endpointId)).toBe(2);
    expect(await cloud.read(APN)).toMatchObject({ '': 'fleet.new' });
  });

  it('SIM-07-partial that carries no data is replaced by the previous one, by itself', async () => {
    const { router, cloud } = await start({ callHomeMs: 150 });
    await cloud.read(APN);
    await set(cloud, 'noconn.apn');
    await controller.until(() => controller.openCount === 0);
    await cloud.expectContact(2);
    expect(connects(router.endpointId)).toBe(2);
    expect(await cloud.read(APN)).toMatchObject({ '': 'born' });
  });

  it('SIM-07-partial is still on trial after a power cut', async () => {
    const { router, cloud } = await start({ callHomeMs: 400 });
    await cloud.read(APN);
    await set(cloud, 'noconn.apn');
    await controller.until(() => controller.openCount === 0);
    router.powerCut(5);
    await cloud.expectContact(2);
    expect(await cloud.read(APN)).toMatchObject({ '': 'born' });
  });

  it('SIM-07-partial of an unused profile does not affect the connection', async () => {
    const { router, cloud } = await startWithTwo();
    await cloud.set(`${SIM}Profile.2.`, { X_HIGHLINE_APN: 'noconn.apn' });
    expect(await cloud.read(`${SIM}Profile.2.`)).toMatchObject({ X_HIGHLINE_APN: 'noconn.apn', State: 'Inactive' });
    expect(connects(router.endpointId)).toBe(1);
    // When it is enabled later, it is tried, and the router falls back.
    await cloud.enable('e1', 2);
    await controller.until(() => controller.openCount === 0);
  });
});
