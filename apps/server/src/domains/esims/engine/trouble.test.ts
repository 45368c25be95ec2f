import { randomBytes } from 'node:crypto';
import type { esims, logs } from '@highline/contract';
import { makeEid, makeIccid, makeMac } from '@highline/usp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, send } from '../../../testing/call.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../../testing/rollouts.ts';
import { UpdatingRouter } from '../../../testing/updating-router.ts';
import type { RegisteredRouter } from '../../inventory/index.ts';

// Test agents over the real protocol: silent ones, faulty ones, and servers that end in the middle.

const SIM = 'Device.TrustedElements.SIM.1.';
const EID = makeEid(77);
const own = {
  [`${SIM}EID`]: EID,
  [`${SIM}ICCID`]: makeIccid(1),
  [`${SIM}Profile.1.ICCID`]: makeIccid(1),
  [`${SIM}Profile.1.State`]: 'Active',
  [`${SIM}Profile.1.X_HIGHLINE_Preloaded`]: 'true',
};

let fixture: RolloutFixture;
beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());

type Choice = Parameters<RolloutFixture['routers']>[2];

async function connected(choice: Choice = {}, at = fixture): Promise<GroupRouter> {
  const [router] = await at.routers(await at.group(), 1, { commands: ['esim'], values: own, ...choice });
  await router!.connect();
  return router!;
}

let count = 0;
async function add(router: GroupRouter, at = fixture): Promise<string> {
  count += 1;
  const body = { serial: router.serial, eid: EID, ac: `1$smdp.example.com$HOSTILE-${count}`, apn: 'fleet' };
  const response = await at.call<{ pk: string }>('POST', '/data_manager/v1/dm/profile/', body);
  return response.pk;
}

async function becomes(pk: string, expected: object, at = fixture): Promise<void> {
  const read = async () => (await at.server.owner.query('select * from esim_profiles where id = $1', [pk])).rows[0];
  await expect.poll(read).toMatchObject(expected);
}

/** Complete a step as a router that now has the profile at this instance, in use or not. */
async function arrives(router: GroupRouter, instance: number, active: boolean): Promise<void> {
  const path = `${SIM}Profile.${instance}.`;
  router.set(`${path}ICCID`, makeIccid(instance));
  router.set(`${path}State`, active ? 'Active' : 'Inactive');
  router.set(`${path}X_HIGHLINE_Preloaded`, 'false');
}

test('SIM-10-partial a server that ends in the middle continues with the same step, and handles its end once', async () => {
  const router = await connected();
  const pk = await add(router);
  await fixture.awaitRequests(router, 1);
  await becomes(pk, { status: 'Downloading...', step: 'download' });
  await fixture.restart();
  await router.connect(fixture.address());
  await fixture.awaitRequests(router, 2);
  const [first, second] = router.operations;
  expect(second).toEqual(first);
  expect(first!.args).toMatchObject({ APN: 'fleet', ActivationCode: expect.stringContaining('HOSTILE') });
  await arrives(router, 2, false);
  await router.complete(first!, undefined, { Profile: `${SIM}Profile.2.`, ICCID: makeIccid(2), Carrier: 'Lake' });
  await becomes(pk, { status: 'Activated', step: null });
  // On the router, and not used before a user requests it.
  expect(router.operations).toHaveLength(2);
  await fixture.call('POST', '/data_manager/v1/dm/profile/use', { profile: pk });
  await fixture.awaitRequests(router, 3);
  expect(router.operations[2]!.command).toBe(`${SIM}Profile.2.X_HIGHLINE_Enable()`);
  // The end of the download once more: no step begins again.
  await router.complete(first!, { message: 'download-failed: a lie' });
  await arrives(router, 2, true);
  router.set(`${SIM}Profile.1.State`, 'Inactive');
  await router.complete(router.operations[2]!);
  await becomes(pk, { status: 'In Use', step: null, carrier: 'Lake', reason: '' });
  expect(router.operations).toHaveLength(3);
  const { result } = await fixture
    .call<never>('GET', `/data_manager/v1/dm/device/timeline?device=${router.device}&kind=sim`)
    .then((items) => ({ result: items as { kind: string; state: string }[] }));
  expect(result.map(({ state }) => state)).toEqual(['in-use', 'downloaded']);
});

test('SIM-07-partial an APN that was stored as sent when the server ended is sent again after the next start', async () => {
  const path = `${SIM}Profile.2.`;
  const profile = { ICCID: makeIccid(2), State: 'Active', X_HIGHLINE_Preloaded: 'false', X_HIGHLINE_APN: 'old' };
  const values = {
    [`${SIM}EID`]: EID,
    ...Object.fromEntries(Object.entries(profile).map(([name, value]) => [path + name, value])),
  };
  let ignored = 0;
  let isSilent = true;
  const ignoresWrite = (object: string) => isSilent && object === path && ++ignored > 0;
  const router = await connected({ values, ignoresWrite });
  const cards = () => fixture.call<esims.Profile[]>('GET', `/data_manager/v1/dm/profiles?serial=${router.serial}&eid=${EID}`);
  const card = async () => (await cards()).find(({ iccid }) => iccid === profile.ICCID);
  await expect.poll(card).toMatchObject({ status: 'In Use', apn: 'old' });
  await fixture.call('PATCH', `/data_manager/v1/dm/profile/${(await card())!.pk}`, { apn1: 'new' });
  await expect.poll(() => ignored).toBe(1);
  await fixture.restart();
  // Past the time for its answer.
  fixture.clock.move(31_000);
  isSilent = false;
  await router.connect(fixture.address());
  await expect.poll(() => router.valueOf(`${path}X_HIGHLINE_APN`)).toBe('new');
  expect(await card()).toMatchObject({ status: 'In Use', apn: 'new', reason: '' });
});

test('SIM-10-partial silence is no-answer after three times', async () => {
  // With its own server: routers answer late on a busy machine.
  const hasty = await openRolloutFixture({ esims: { responseMs: 300 } });
  const silent = await connected({ onOperate: () => 'silent' }, hasty);
  await becomes(await add(silent, hasty), { status: 'Fail to download', reason: 'no-answer' }, hasty);
  // On a busy machine the last of them arrives after the server has given up.
  await hasty.awaitRequests(silent, 3);
  expect(new Set(silent.operations.map(({ key }) => key)).size).toBe(1);
  expect(silent.operations).toHaveLength(3);
  await hasty.close();
});

test('SIM-10-partial a profile that its router reports in use stays in use when the router does not know the switch any more', async () => {
  const router = await connected();
  const pk = await add(router);
  await fixture.awaitRequests(router, 1);
  await arrives(router, 2, false);
  await router.complete(router.operations[0]!, undefined, { Profile: `${SIM}Profile.2.`, ICCID: makeIccid(2), Carrier: 'Lake' });
  await becomes(pk, { status: 'Activated', step: null });
  await fixture.call('POST', '/data_manager/v1/dm/profile/use', { profile: pk });
  await fixture.awaitRequests(router, 2);
  router.set(`${SIM}Profile.1.State`, 'Inactive');
  router.set(`${SIM}Profile.2.State`, 'Active');
  await router.changed(`${SIM}Profile.2.State`, 'Active');
  await becomes(pk, { status: 'In Use', step: 'enable' });
  await router.complete(router.operations[1]!, { code: 7_026, message: 'no such object' });
  await becomes(pk, { status: 'In Use', step: null, reason: '' });
  const timeline = `/data_manager/v1/dm/device/timeline?device=${router.device}&kind=sim`;
  const items = await fixture.call<{ state: string }[]>('GET', timeline);
  expect(items.map(({ state }) => state)).toEqual(['in-use', 'downloaded']);
});

test('SIM-10-partial a router without the commands is unsupported, for an offline one it waits', async () => {
  const unable = await connected({ commands: [], model: 'HL-PLAIN' });
  const [away] = await fixture.routers(await fixture.group(), 1, { commands: ['esim'], values: own });
  const [one, two] = [await add(unable), await add(away!)];
  await becomes(one, { status: 'Fail to download', reason: 'unsupported' });
  expect(unable.operations).toEqual([]);
  await becomes(two, { status: 'Assigning...', step: null });
  await away!.connect(fixture.address());
  await fixture.awaitRequests(away!, 1);
});

test('SIM-10-partial what users ordered stays ordered while the modem is not there: at the first connect, and at a later one', async () => {
  const [router] = await fixture.routers(await fixture.group(), 1, { commands: ['esim'] });
  const pk = await add(router!);
  await router!.connect(fixture.address());
  const read = 'select reported from routers where serial = $1';
  const reported = async () => (await fixture.server.owner.query(read, [router!.serial])).rows[0].reported;
  await expect.poll(reported).toMatchObject({ subscribed: true });
  expect(await reported()).not.toHaveProperty('esim_support');
  for (const [path, value] of Object.entries(own)) router!.set(path, value);
  await router!.changed(`${SIM}Status`, 'Valid');
  await fixture.awaitRequests(router!, 1);
  await arrives(router!, 2, false);
  const outputs = { Profile: `${SIM}Profile.2.`, ICCID: makeIccid(2), Carrier: 'Lake' };
  await router!.complete(router!.operations[0]!, undefined, outputs);
  await becomes(pk, { status: 'Activated', step: null });
  router!.cut();
  for (const path of router!.values.keys()) if (path.startsWith(SIM)) router!.values.delete(path);
  await fixture.call('DELETE', `/data_manager/v1/dm/profile/${pk}`);
  await router!.connect();
  await fixture.awaitRequests(router!, 2);
  expect(router!.operations[1]!.command).toBe(`${SIM}Profile.2.X_HIGHLINE_Delete()`);
  expect(await reported()).toMatchObject({ eid: EID, esim: { eid: EID }, esim_support: true });
});

test('SIM-10-partial BLK-06-partial eSIMs of a router that is connected from stock are listed once it is claimed, by itself, with a file, or as a replacement', async () => {
  const main = { kind: 'main', mainAccountId: fixture.scope.mainAccountId } as const;
  const stocked = async (instance: number) => {
    const added = { serial: `STOCK-${instance}`, mac: makeMac(instance) };
    const [{ secret, endpointId }] = (await fixture.server.seeding.routers(main, [added])) as [RegisteredRouter];
    const path = `${SIM}Profile.2.`;
    const there = {
      [`${path}ICCID`]: makeIccid(instance),
      [`${path}State`]: 'Inactive',
      [`${path}X_HIGHLINE_Preloaded`]: 'false',
    };
    const values = { ...own, [`${SIM}EID`]: makeEid(instance), ...there };
    const router = new UpdatingRouter({ server: fixture.address(), secret, endpointId, commands: ['esim'], values });
    await router.connect();
    const reported = async () =>
      (await fixture.server.owner.query('select reported from routers where serial = $1', [added.serial])).rows[0].reported;
    await expect.poll(reported).toMatchObject({ esim: { profiles: [{}, {}] }, subscribed: true });
    return { router, added };
  };
  const listed = async (serial: string) =>
    (await fixture.server.owner.query('select iccid, status from esim_profiles where serial = $1', [serial])).rows;
  const days = { started: '01/01/2026', expired: '12/31/2099' };
  const [one, two, three] = [await stocked(901), await stocked(902), await stocked(903)];

  const body = { devices: [{ serial_number: one.added.serial, mac: one.added.mac, ...days }] };
  await fixture.call('POST', '/data_manager/v1/dm/devices', body);
  await expect.poll(() => listed(one.added.serial)).toEqual([{ iccid: makeIccid(901), status: 'Activated' }]);

  const file = new FormData();
  const csv = `SN,MAC,Start Date,Expiry Date\n${two.added.serial},${two.added.mac},01/01/2026,12/31/2099\n`;
  file.set('file', new File([csv], 'devices.csv', { type: 'text/csv' }));
  await fixture.call('POST', '/data_manager/v1/dm/devices/batch', file);
  await expect.poll(() => listed(two.added.serial)).toEqual([{ iccid: makeIccid(902), status: 'Activated' }]);

  const read = 'select device_id from routers where serial = $1';
  const device = (await fixture.server.owner.query(read, [one.added.serial])).rows[0].device_id;
  const next = { device, serial_number: three.added.serial, mac: three.added.mac };
  await fixture.call('POST', '/data_manager/v1/dm/device/router', next);
  await expect.poll(() => listed(three.added.serial)).toEqual([{ iccid: makeIccid(903), status: 'Activated' }]);
  for (const { router } of [one, two, three]) router.cut();
});

test('WIN-02-partial a switch that waits for an offline router says so, with its window, and can be withdrawn; back online it waits for the window', async () => {
  const path = `${SIM}Profile.2.`;
  const there = { [`${path}ICCID`]: makeIccid(2), [`${path}State`]: 'Inactive', [`${path}X_HIGHLINE_Preloaded`]: 'false' };
  const [away] = await fixture.routers(await fixture.group(), 1, { commands: ['esim'], values: { ...own, ...there } });
  const pk = await add(away!);
  await becomes(pk, { due_at: null });
  const stored = "update esim_profiles set status = 'Activated', path = $2, iccid = $3 where id = $1";
  await fixture.server.owner.query(stored, [pk, path, makeIccid(2)]);
  const use = (body: object) => fixture.call<esims.Profile>('POST', '/data_manager/v1/dm/profile/use', { profile: pk, ...body });
  const read = () => fixture.call<esims.Profile>('GET', `/data_manager/v1/dm/profile/${pk}`);
  const window = { zone: 'UTC', uplinks: ['ethernet'] };
  const waits = { status: 'Assigning...', reason: 'offline', requested: true };
  for (const planned of [window, undefined]) {
    await use({ window: planned });
    await expect.poll(read).toMatchObject({ ...waits, window: planned ?? null });
  }
  await use({ window: null });
  expect(await read()).toMatchObject({ status: 'Activated', reason: '', requested: false, window: null });
  await use({ window });
  await expect.poll(read).toMatchObject({ ...waits, window });
  await away!.connect(fixture.address());
  await expect.poll(read).toMatchObject({ ...waits, reason: 'window-no-uplink', window });
  await use({});
  await fixture.awaitRequests(away!, 1);
  // The router has begun.
  await expect.poll(read).toMatchObject({ status: 'Assigning...', reason: '', requested: false, window: null });
});

/** A router with a second profile on its eUICC, which was added before it connects. @returns the profile as well */
async function withProfile(): Promise<{ router: GroupRouter; pk: string }> {
  const path = `${SIM}Profile.2.`;
  const there = { [`${path}ICCID`]: makeIccid(2), [`${path}State`]: 'Inactive', [`${path}X_HIGHLINE_Preloaded`]: 'false' };
  const [router] = await fixture.routers(await fixture.group(), 1, { commands: ['esim'], values: { ...own, ...there } });
  const pk = await add(router!);
  await becomes(pk, { due_at: null });
  const stored = "update esim_profiles set status = 'Activated', path = $2, iccid = $3 where id = $1";
  await fixture.server.owner.query(stored, [pk, path, makeIccid(2)]);
  return { router: router!, pk };
}

const uses = '/data_manager/v1/dm/profile/use';
const profileOf = (pk: string) => fixture.call<esims.Profile>('GET', `/data_manager/v1/dm/profile/${pk}`);

/** Another admin of the organization. */
async function admin() {
  const email = `${randomBytes(6).toString('hex')}@highline.invalid`;
  const id = await fixture.server.seeding.account(fixture.scope, email, 'admin');
  const bearer = await fixture.server.seeding.bearer(id);
  const call = <T>(method: string, path: string, body?: object) => ask<T>(fixture.server.url + path, { method, bearer, body });
  return { id, email, call, read: (path: string) => send(fixture.server.url + path, { bearer }) };
}

const changes: Readonly<Record<string, (account: string) => Promise<unknown>>> = {
  'was removed': (account) => fixture.server.owner.query('delete from accounts where id = $1', [account]),
  'is a user': (account) => fixture.server.owner.query("update accounts set roles = '{}' where id = $1", [account]),
  'is limited': (account) =>
    fixture.server.owner.query(
      "insert into account_limits (account_id, organization_id, tags, updated_at) values ($1, $2, '{}', now())",
      [account, fixture.scope.organizationId],
    ),
};

test.each(Object.entries(changes))(
  'WIN-02-partial a switch that was planned by a person who %s is withdrawn before it begins; the list, the file and the log say why',
  async (_, change) => {
    const { router, pk } = await withProfile();
    const { id, email, call } = await admin();
    const window = { zone: 'UTC', uplinks: ['ethernet'] };
    await call('POST', uses, { profile: pk, window });
    await router.connect();
    await expect.poll(() => profileOf(pk)).toMatchObject({ reason: 'window-no-uplink', requested: true, window });
    await change(id);
    await router.changed(`${SIM}Profile.2.State`, 'Inactive');
    fixture.clock.move(61_000);
    const withdrawn = { status: 'Activated', reason: 'not-allowed', requested: false, window: null };
    await expect.poll(() => profileOf(pk)).toMatchObject(withdrawn);
    // Nothing of its router waits for that window any more.
    await becomes(pk, { due_at: null });
    const entries = await fixture.call<logs.LogEntry[]>('GET', `/data_manager/v1/operation_log`);
    expect(entries[0]).toMatchObject({ detail: { by: email } });
    expect(entries[0]!.subject).toContain('Did not switch to eSIM');
    const reader = await admin();
    const { text } = await reader.read(`/data_manager/v1/dm/profiles/export?search=${router.serial}`);
    expect(text).toContain('Not switched: the user who requested it is no longer allowed to do this');
    expect(router.operations).toEqual([]);
  },
);

test('SIM-10-partial a switch that waits for an offline router begins when who requested it still may, and is withdrawn when not', async () => {
  const [kept, ended] = [await withProfile(), await withProfile()];
  const [one, two] = [await admin(), await admin()];
  await one.call('POST', uses, { profile: kept.pk });
  await two.call('POST', uses, { profile: ended.pk });
  await changes['was removed']!(two.id);
  for (const { router } of [kept, ended]) await router.connect();
  await fixture.awaitRequests(kept.router, 1);
  await expect.poll(() => profileOf(ended.pk)).toMatchObject({ status: 'Activated', reason: 'not-allowed' });
  expect(ended.router.operations).toEqual([]);
  // Its author is not kept longer than needed.
  await becomes(kept.pk, { step: 'enable', use_author: null });
});

test('SIM-10-partial a router that reports nonsense, or ends steps of others, affects only its own profiles', async () => {
  const [honest, liar] = [await connected(), await connected()];
  const pk = await add(honest);
  await fixture.awaitRequests(honest, 1);
  await liar.complete(honest.operations[0]!, undefined, { Profile: `${SIM}Profile.9.` });
  for (let instance = 2; instance < 40; instance += 1)
    liar.set(`${SIM}Profile.${instance}.ICCID`, `<script>\u202e${'9'.repeat(3_000)}`);
  liar.set(`${SIM}Profile.7.X_HIGHLINE_Priority`, '-1e9');
  liar.set(`${SIM}Profile.7.Name`, '\u0000=cmd');
  await liar.changed(`${SIM}Profile.7.State`, 'Active');
  const events = async () =>
    (await fixture.server.owner.query('select iccid, name from esim_profiles where device_id = $1', [liar.device])).rows;
  await expect.poll(async () => (await events()).length).toBe(3);
  for (const { iccid } of await events()) expect(iccid).not.toMatch(/[\u202e\p{Cc}]/u);
  await becomes(pk, { status: 'Downloading...', step: 'download', path: null });
});
