import { randomBytes } from 'node:crypto';
import type { esims } from '@highline/contract';
import { makeEid, makeIccid } from '@highline/usp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const ONE = '/data_manager/v1/dm/profile';
const ALL = '/data_manager/v1/dm/profiles';
const HEADER = 'SN,EID,Activation Code,ICCID,APN1,APN2,NAME';
const FULL = 'Out of memory. Delete one or more eSIMs to add others.';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let user: Actor;
let mainPerson: Actor;
let count = 0;
let router: Router;

interface Router {
  readonly serial: string;
  readonly device: string;
  readonly eid: string;
}

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  admin = app.person(own, 'admin');
  user = app.person(own, 'user');
  mainPerson = app.person(main, 'main');
});
beforeEach(async () => {
  router = await newRouter(own);
  await app.takeOutbox();
});

async function newRouter(scope: OrganizationScope): Promise<Router> {
  count += 1;
  const made = { serial: `EP${String(count).padStart(5, '0')}`, mac: randomBytes(6).toString('hex').toUpperCase() };
  await app.seeding.routers(main, [made]);
  const [device] = await app.seeding.devices(scope, [made]);
  return { serial: made.serial, device: device!, eid: makeEid(count) };
}

const code = () => `1$smdp.example.com$${randomBytes(6).toString('hex').toUpperCase()}`;
const add = (more: object = {}, as = admin) =>
  app.call('POST', `${ONE}/`, { as, body: { serial: router.serial, eid: router.eid, ac: code(), apn: 'fleet', ...more } });
const added = async (more: object = {}): Promise<esims.Profile> => (await add(more)).json.result;
const list = (query: Record<string, string | number>, as = admin) => app.call('GET', ALL, { as, query });
const cards = async (): Promise<esims.Profile[]> =>
  (await list({ serial: router.serial, eid: router.eid })).json.result as esims.Profile[];
const patch = (pk: string, body: object, headers: Record<string, string> = {}) =>
  app.call('PATCH', `${ONE}/${pk}`, { as: admin, body, headers });
const remove = (pk: string) => app.call('DELETE', `${ONE}/${pk}`, { as: admin });
const resume = (pk: string) => app.call('POST', `${ONE}/resume`, { as: admin, body: { profile: pk } });
const set = (pk: string, columns: string) => app.owner.query(`update esim_profiles set ${columns} where id = $1`, [pk]);

describe('giving a router a profile', () => {
  test('API-02-partial SIM-07-partial it is created and assigned; the log and the consoles get an event without its code', async () => {
    const ac = code();
    const response = await add({ ac, name: 'Second', apn2: 'fleet2', iccid: makeIccid(count) });
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({
      status: 'Created',
      result: { serial: router.serial, eid: router.eid, ac, apn: 'fleet', apn2: 'fleet2', name: 'Second', act: false },
    });
    // The preloaded one, which was not set up, may be what the router uses: it stays first.
    expect(response.json.result).toMatchObject({ status: 'Assigning...', statusIcon: 'doing', priority: 2, reason: '' });
    expect(await app.takeOutbox()).toMatchObject([{ topic: 'esims', ids: [response.json.result.pk] }]);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Added eSIM Second to device ${router.serial}`);
    const everything = await app.owner.query(
      'select (select jsonb_agg(to_jsonb(e))::text from audit_entries e) || (select jsonb_agg(to_jsonb(p))::text from esim_profiles p) as text',
    );
    expect(everything.rows[0].text).toContain(router.serial);
    expect(everything.rows[0].text).not.toContain(ac.split('$')[2]);
  });

  test('SIM-02-partial activation codes are shown only to admins of the organization', async () => {
    const { pk, ac } = await added();
    const seen = async (as: Actor, query = {}) => (await app.call('GET', `${ONE}/${pk}`, { as, query })).json.result.ac as string;
    expect([await seen(admin), await seen(user), await seen(mainPerson, { org: own.organizationId })]).toEqual([ac, '', '']);
    expect((await list({ limit: 3, search: router.serial }, user)).json.result[0].ac).toBe('');
  });

  test('SIM-05-partial SIM-09-partial the fault is in error.detail, and nothing is stored', async () => {
    await added();
    const rejected = async (more: object): Promise<unknown[]> => {
      const { status, json } = await add(more);
      expect(json.error.detail).toBe(json.error.message);
      return [status, json.error.key, json.error.message];
    };
    expect(await rejected({ serial: 'UNKNOWN' })).toEqual([400, 'esim.serial_unknown', 'SN not found']);
    expect(await rejected({ serial: (await newRouter(sibling)).serial })).toEqual([400, 'esim.serial_unknown', 'SN not found']);
    expect(await rejected({ eid: makeEid(9_999) })).toEqual([400, 'esim.eid_mismatch', 'SN and EID not match']);
    expect(await rejected({ ac: 'nonsense' })).toEqual([400, 'esim.code_invalid', expect.any(String)]);
    expect(await rejected({ ac: 'preload' })).toEqual([400, 'esim.iccid_required', 'ICCID is required for preloaded profile.']);
    expect(await rejected({ iccid: '8999999000000000001X' })).toEqual([400, 'esim.iccid_invalid', expect.any(String)]);
    expect(await rejected({ apn: '' })).toEqual([400, 'request.invalid', 'APN1 is required.']);
    expect(await cards()).toHaveLength(2);
  });

  test('SIM-04-partial SIM-07-partial a doubtful ICCID is stored only once a person has confirmed it', async () => {
    const doubtful = { ac: 'preload', iccid: '8944476500008878575' };
    expect((await add(doubtful)).json.error).toMatchObject({
      key: 'esim.iccid_check',
      field: 'iccid',
      message: expect.stringContaining('One of the digits of this ICCID is wrong'),
      detail: { doubt: 'check-digit', typed: '8944476500008878575', meant: '8944476500008878575' },
    });
    expect((await add({ ...doubtful, iccidConfirmed: '8944476500008878576' })).json.error.key).toBe('esim.iccid_check');
    expect((await add({ ...doubtful, iccidConfirmed: '8944 4765 0000 8878 575' })).json.result).toMatchObject({
      iccid: '8944476500008878575',
    });
    const longer = { iccid: '89444765000088785760F' };
    expect((await add(longer)).json.error).toMatchObject({ key: 'esim.iccid_longer', detail: { meant: '8944476500008878576' } });
    expect((await add({ ...longer, iccidConfirmed: '8944476500008878576' })).json.result.iccid).toBe('8944476500008878576');
    expect((await add({ iccid: '8.94448E+18' })).json.error.key).toBe('esim.iccid_spreadsheet');
  });

  test('SIM-05-partial an empty activation code is missing data; the one of a profile on its router is fixed', async () => {
    expect((await add({ ac: '' })).json.error).toMatchObject({
      key: 'esim.code_missing',
      message: 'missing or invalid mandatory data',
    });
    const { pk } = await added();
    await set(pk, "status = 'Activated', path = 'Device.TrustedElements.SIM.1.Profile.2.'");
    expect((await patch(pk, { ac: code() })).json.error).toMatchObject({ key: 'esim.code_fixed', field: 'ac' });
    // A preloaded one keeps its place as it is, and takes no other code.
    const preloaded = await added({ ac: 'preload', iccid: makeIccid(9) });
    expect((await patch(preloaded.pk, { ac: code() })).json.error).toMatchObject({ key: 'esim.code_fixed', field: 'ac' });
    expect((await patch(preloaded.pk, { ac: 'preload' })).json.error).toBeUndefined();
    expect((await patch(pk, { ac: 'preload' })).json.error).toMatchObject({ key: 'esim.code_fixed', field: 'ac' });
  });

  test('SIM-05-partial an EID that fails its check is rejected while the router has not reported its own', async () => {
    const response = await add({ eid: '89049099990000000000000000000133' });
    expect([response.status, response.json.error.key]).toEqual([400, 'esim.eid_invalid']);
  });

  test('SIM-07-partial at most four with the preloaded one, whose slot is reserved; also for many at once', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => add()));
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 200, 200, 409, 409, 409]);
    expect(responses.find(({ status }) => status === 409)!.json.error).toMatchObject({ key: 'esim.full', message: FULL });
    expect((await add({ ac: 'pre', iccid: makeIccid(count) })).json.result).toMatchObject({
      ac: 'preload',
      name: 'preloaded_eSIM',
      priority: 1,
    });
    expect((await add({ ac: 'preload', iccid: makeIccid(count) })).json.error.key).toBe('esim.duplicate');
    expect((await cards()).map(({ priority }) => priority)).toEqual([1, 2, 3, 4]);
  });

  test('SIM-07-partial a confirmation code is required if the activation code says so, encrypted, and never returned', async () => {
    const ac = `${code()}$$1`;
    const missing = await add({ ac });
    expect([missing.status, missing.json.error]).toMatchObject([
      400,
      { key: 'esim.confirmation_required', field: 'confirmationCode', message: 'Please enter the Confirmation Code' },
    ]);
    expect(await cards()).toHaveLength(1);
    const response = await add({ ac, confirmationCode: 'Sunflower-4711' });
    expect(response.json.result).toMatchObject({ ac, status: 'Assigning...' });
    const { pk } = response.json.result;
    const changed = await patch(pk, { confirmationCode: 'Sunflower-4712' });
    expect(changed.json.result.etag).not.toBe(response.json.result.etag);
    expect((await patch(pk, { confirmationCode: 'Sunflower-4712' })).json.result.etag).toBe(changed.json.result.etag);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(
      `Changed confirmation code of eSIM profile of device ${router.serial}`,
    );
    const everything = await app.owner.query(
      'select (select jsonb_agg(to_jsonb(e))::text from audit_entries e) || (select jsonb_agg(to_jsonb(p))::text from esim_profiles p) as text',
    );
    expect(everything.rows[0].text + response.text + changed.text).not.toMatch(/sunflower|73756e666c6f776572/iu);

    // It belongs to its activation code: another one needs its own, and one that needs none deletes it.
    expect((await patch(pk, { ac: `${code()}$$1` })).json.error.key).toBe('esim.confirmation_required');
    expect((await patch(pk, { ac: code() })).status).toBe(200);
    const kept = await app.owner.query('select sealed_confirmation from esim_profiles where id = $1', [pk]);
    expect(kept.rows).toEqual([{ sealed_confirmation: null }]);
    await set(pk, "status = 'Activated', path = 'Device.TrustedElements.SIM.1.Profile.2.'");
    expect((await patch(pk, { confirmationCode: '1' })).json.error).toMatchObject({
      key: 'esim.confirmation_fixed',
      field: 'confirmationCode',
    });
  });
});

describe('the cards of a router', () => {
  test('SIM-06-partial by priority, with the preloaded one as a placeholder; a failure has its message', async () => {
    const one = await added({ priority: 2 });
    const [first, second] = await cards();
    expect(first).toMatchObject({ pk: '', status: 'Not Purchased', ac: 'preload', name: 'preloaded_eSIM', priority: 1 });
    expect(second).toMatchObject({ pk: one.pk, priority: 2 });
    const wrong = await list({ serial: router.serial, eid: makeEid(9_998) });
    expect([wrong.status, wrong.json.error.message]).toEqual([400, 'SN and EID not match']);
    const unclaimed = await list({ serial: 'UNKNOWN', eid: router.eid });
    expect([unclaimed.status, unclaimed.json.error.message]).toEqual([400, 'SN not found']);
  });

  test('SIM-06-partial saved one after another, the cards end in the order of the page, whatever the order of the saves', async () => {
    const pks = [];
    for (let card = 0; card < 3; card += 1) pks.push((await added()).pk);
    const { etag } = (await cards())[0]!;
    const desired: readonly (readonly [number, number])[] = [
      [0, 3],
      [2, 1],
      [1, 2],
    ];
    for (const [card, priority] of desired)
      expect((await patch(pks[card]!, { priority }, { 'if-match': etag })).status).toBe(200);
    expect((await cards()).filter(({ pk }) => pk !== '').map(({ pk }) => pk)).toEqual([pks[2], pks[1], pks[0]]);
  });
});

describe('changing, retrying, deleting', () => {
  test('SIM-07-partial a change is logged with old and new values; the same again is not logged; a stale one gets the current values', async () => {
    const { pk, etag } = await added({ name: 'Old' });
    const saved = await patch(pk, { name: 'New', apn1: 'fleet.new' }, { 'if-match': etag });
    expect(saved.json.result).toMatchObject({ name: 'New', apn: 'fleet.new' });
    await app.takeOutbox();
    expect((await patch(pk, { name: 'New', apn1: 'fleet.new', ac: saved.json.result.ac })).status).toBe(200);
    expect(await app.takeOutbox()).toEqual([]);
    const stale = await patch(pk, { name: 'Other' }, { 'if-match': etag });
    expect([stale.status, stale.json.error.detail.name]).toEqual([412, 'New']);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Changed name, APN 1 of eSIM Old of device ${router.serial}`);
  });

  test('SIM-07-partial the ICCID can be changed for a preloaded profile that failed, and for no other', async () => {
    const preloaded = await added({ ac: 'preload', iccid: makeIccid(1) });
    const other = await added({ iccid: makeIccid(2) });
    const change = async (pk: string) => (await patch(pk, { iccid: makeIccid(3) })).json.error?.key;
    expect([await change(preloaded.pk), await change(other.pk)]).toEqual(['esim.iccid_fixed', 'esim.iccid_fixed']);
    await set(preloaded.pk, "status = 'Fail to download', reason = 'iccid-mismatch'");
    await set(other.pk, "status = 'Fail to download'");
    expect([await change(preloaded.pk), await change(other.pk)]).toEqual([undefined, 'esim.iccid_fixed']);
  });

  test('SIM-03-partial a failed profile is assigned again at once, and only a failed one', async () => {
    const { pk } = await added();
    expect((await resume(pk)).json.error.key).toBe('esim.not_failed');
    // Only Use now, which shows what changes, switches to a profile that could not be activated.
    await set(pk, "status = 'Fail to activate', path = 'Device.TrustedElements.SIM.1.Profile.2.'");
    expect((await resume(pk)).json.error.key).toBe('esim.not_failed');
    await set(pk, "path = null, status = 'Fail to download', reason = 'unreachable: no route'");
    expect((await resume(pk)).json.result).toMatchObject({ status: 'Assigning...', statusIcon: 'doing', reason: '' });
  });

  test('SIM-08-partial one on its router is being deleted and fixed, one that never reached it is deleted at once, the preloaded one stays', async () => {
    const there = await added();
    await set(there.pk, "status = 'Activated', path = 'Device.TrustedElements.SIM.1.Profile.2.'");
    expect((await remove(there.pk)).json.result.status).toBe('Deleting...');
    expect((await remove(there.pk)).status).toBe(200);
    expect((await patch(there.pk, { name: 'Late' })).json.error.key).toBe('esim.deleting');
    const nowhere = await added();
    expect((await remove(nowhere.pk)).json.result.status).toBe('Deleting...');
    const preloaded = await added({ ac: 'preload', iccid: makeIccid(4) });
    expect((await remove(preloaded.pk)).json.error.key).toBe('esim.is_preloaded');
    expect((await cards()).map(({ pk }) => pk)).toEqual([there.pk, preloaded.pk]);
    const deletions = (await app.logOf(own.organizationId)).filter((action) => action.startsWith('Deleted eSIM'));
    expect(deletions).toHaveLength(2);
  });
});

describe('the list', () => {
  test('SIM-01-partial API-02-partial every sort pages by key through all of them, filters and searches count exactly', async () => {
    const mark = router.serial;
    for (const [index, status] of ['In Use', 'Activated', 'Fail to download'].entries()) {
      const { pk } = await added({ name: `${mark} ${index}`, iccid: makeIccid(1_000 + index) });
      await set(pk, `status = '${status}', carrier = 'Carrier ${index}'`);
    }
    const whole = (await list({})).json.result as esims.Profile[];
    for (const sort of ['serial', 'name', 'carrier', 'iccid', 'apn', 'status', 'updated'])
      for (const direction of ['', '-']) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const slot: Record<string, string> = cursor === '' ? {} : { cursor };
          const page = await list({ limit: 3, sort: `${direction}${sort}`, ...slot });
          expect(page.json.total).toBe(whole.length);
          seen.push(...page.json.result.map(({ pk }: esims.Profile) => pk));
          cursor = page.json.next as string | null;
        }
        expect(new Set(seen).size, sort).toBe(whole.length);
      }
    const named = { field: 'name', search: mark, limit: 3 } as const;
    expect((await list({ ...named, status: 'in-use' })).json).toMatchObject({
      total: 1,
      result: [{ statusIcon: 'online', act: true }],
    });
    expect((await list({ ...named, status: 'fail-to-download' })).json.result).toMatchObject([{ statusIcon: 'expire' }]);
    expect((await list({ ...named, search: mark.toLowerCase() })).json.total).toBe(0);
    expect((await list({ field: 'iccid', search: makeIccid(1_001).slice(5), limit: 3 })).json.total).toBe(1);
    const last = whole.at(-1)!;
    expect((await list({ limit: 3, around: last.pk })).json.result.map(({ pk }: esims.Profile) => pk)).toContain(last.pk);
  });

  test('SIM-01-partial the list and its file have the vehicle, the signal of the SIM in use while its router is online, the data of the cycle, and why a step failed', async () => {
    const used = await added({ name: 'used', iccid: makeIccid(7_001), priority: 1 });
    const failed = await added({ name: 'failed', iccid: makeIccid(7_002), priority: 2 });
    await set(used.pk, `status = 'In Use'`);
    await set(failed.pk, `status = 'Fail to download', reason = 'unreachable: smdp.example.com'`);
    await app.owner.query(`update devices set vehicle_number = 'Bus 77', presence = 'online' where id = $1`, [router.device]);
    const { rows: routers } = await app.owner.query<{ router_id: string }>('select router_id from devices where id = $1', [
      router.device,
    ]);
    await app.owner.query(
      `insert into router_contacts (router_id, last_contact_at, rssi) values ($1, now(), -71.4)
       on conflict (router_id) do update set rssi = excluded.rssi`,
      [routers[0]!.router_id],
    );
    await app.owner.query('insert into usage_sims (organization_id, iccid) values ($1, $2)', [own.organizationId, used.iccid]);
    await app.owner.query(`insert into usage_cycles values ($1, usage_cycle_of($2::date, 1), $3, $4, 1000, 234)`, [
      own.organizationId,
      app.clock.now(),
      used.iccid,
      router.device,
    ]);
    const named = { field: 'serial', search: router.serial, sort: '-name' } as const;
    const found = async (): Promise<esims.ListedProfile[]> => (await list({ ...named, limit: 3 })).json.result;
    expect(await found()).toMatchObject([
      { name: 'used', vehicle: 'Bus 77', signal: expect.closeTo(-71.4, 1) },
      { name: 'failed', vehicle: 'Bus 77', signal: null, reason: 'unreachable: smdp.example.com' },
    ]);
    const columns = 'name,vehicle,signal,cycle,reason';
    const file = async (language: string) =>
      (await app.call('GET', `${ALL}/export`, { as: user, query: { ...named, language, columns } })).text.trim().split('\r\n');
    expect(await file('en-US')).toEqual([
      'eSIM Name,Vehicle#,Signal (dBm),Bytes this cycle,Reason',
      'used,Bus 77,-71,1234,',
      'failed,Bus 77,,,The download server could not be reached: smdp.example.com',
    ]);
    expect((await file('zh-TW'))[2]).toBe('failed,Bus 77,,,無法連線到下載伺服器：smdp.example.com');
    // Data used is read with its right.
    const as = Object.assign(app.person(own, 'user'), { ownRole: { id: newId(), name: 'SIMs', rights: ['esims.read'] } });
    const plain = await app.call('GET', `${ALL}/export`, { as, query: { ...named, columns } });
    expect(plain.text.trim().split('\r\n')[1]).toBe('used,Bus 77,-71,,');
    await set(failed.pk, `status = 'Assigning...', reason = 'window-no-position'`);
    expect((await file('en-US'))[2]).toBe('failed,Bus 77,,,"Waits, but this router has no current position"');
    expect((await file('zh-TW'))[2]).toBe('failed,Bus 77,,,等候中，但此路由器沒有目前的位置');
    await app.owner.query(`update devices set presence = 'offline' where id = $1`, [router.device]);
    expect((await found()).map(({ signal }) => signal)).toEqual([null, null]);
  });

  test('SIM-02-partial the export contains the list without codes, the example the columns of an import', async () => {
    const { ac } = await added({ name: '=cmd()' });
    const file = await app.call('GET', `${ALL}/export`, { as: user, query: { language: 'zh-TW' } });
    expect(file.headers['content-disposition']).toContain('eSIMs_export.csv');
    expect(file.text).toContain('指派中…');
    expect(file.text).toMatch(/\b\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/u);
    expect(file.text).toContain(`'=cmd()`);
    expect(file.text).not.toContain(ac);
  });

  test('SIM-02-partial the example of an import is about two routers of the own organization that reported their EIDs', async () => {
    const fresh = await app.seeding.organization(main, 'Example');
    const reader = app.person(fresh, 'user');
    const example = async () => {
      const response = await app.call('GET', `${ALL}/export`, { as: reader, query: { layout: 'example' } });
      expect(response.headers['content-disposition']).toContain('eSIMs_export_example.csv');
      const [header, ...lines] = response.text.trimEnd().split('\r\n');
      expect(header!.slice(1)).toBe(HEADER);
      return lines.map((line) => line.split(',').slice(0, 3));
    };
    const report = ({ device, eid }: Router) => app.owner.query('update devices set eid = $2 where id = $1', [device, eid]);
    const fixed = [
      ['SN0001', `'89049099990000000000000000000104`, 'preload'],
      ['SN0001', `'89049099990000000000000000000104`, '1$smdp.example.com$MATCHING-ID'],
    ];
    const line = ({ serial, eid }: Router, ac: string) => [serial, `'${eid}`, ac];

    await newRouter(fresh);
    await report(router);
    // Neither a router without an EID nor one of another organization.
    expect(await example()).toEqual(fixed);

    const first = await newRouter(fresh);
    await report(first);
    expect(await example()).toEqual([line(first, 'preload'), line(first, fixed[1]![2]!)]);

    const second = await newRouter(fresh);
    await report(second);
    expect(await example()).toEqual([line(first, 'preload'), line(second, fixed[1]![2]!)]);
  });
});

describe('a CSV', () => {
  const send = (rows: string, more: { query?: Record<string, string>; fileName?: string } = {}) =>
    app.call('POST', `${ONE}/batch`, { as: admin, body: {}, file: rows, ...more });

  test('SIM-04-partial SIM-05-partial good rows are added, bad ones reported with the texts of the spec, in one log entry', async () => {
    const { serial, eid } = router;
    const rows = [
      `${serial};'${eid};pre;${makeIccid(21)};internet;;ignored`,
      `${serial};${eid};"${code()}";;fleet;fleet2;Second`,
      `${serial};${eid};preload;;internet;;`,
      `UNKNOWN;${eid};${code()};;fleet;;`,
      `${serial};${makeEid(9_997)};${code()};;fleet;;`,
      `${serial};${eid};${code()};;;;`,
      `${serial};${eid};${code()};;a;;`,
      `${serial};${eid};${code()};;b;;`,
      `${serial};${eid};${code()};;c;;`,
    ].join('\r\n');
    const file = `\ufeff${HEADER.replaceAll(',', ';')}\r\n${rows}\r\n`;
    const dry = await send(file, { query: { dryRun: 'true' } });
    expect(dry.json.result).toMatchObject({ dryRun: true, success: 4, total: 9, failed: 5, ids: [] });
    expect(await cards()).toHaveLength(1);
    const response = await send(file);
    expect(response.json.result).toMatchObject({ success: 4, total: 9 });
    expect(response.json.result.fail.map(({ row, error }: esims.FailedProfile) => [row, error])).toEqual([
      [4, 'ICCID is required for preloaded profile.'],
      [5, 'SN not found'],
      [6, 'SN and EID not match'],
      [7, 'APN1 is required.'],
      [10, FULL],
    ]);
    expect(response.json.result.ids).toHaveLength(4);
    expect((await cards())[0]).toMatchObject({ name: 'preloaded_eSIM', ac: 'preload', apn: 'internet' });
    expect((await app.logOf(own.organizationId)).at(-1)).toBe('Imported eSIMs: 4');
  });

  test('SIM-04-partial an EID that a spreadsheet has made a number of is reported as such; any other wrong one as before', async () => {
    const { serial, eid } = router;
    const damaged = ['8.90440456789012E+31', '8,9E+31', `${eid.slice(0, 15)}${'0'.repeat(17)}`];
    const rows = [...damaged, eid.slice(1)].map((each) => `${serial},${each},1$smdp.example.com$D,,internet,,`);
    const { json } = await send(`${HEADER}\r\n${rows.join('\r\n').replace('8,9E+31', '"8,9E+31"')}\r\n`);
    const errors = json.error.detail.fail.map(({ error }: esims.FailedProfile) => error);
    const sentence = 'A spreadsheet has changed this EID into a number and lost its last digits.';
    expect(errors.slice(0, 3)).toEqual(damaged.map(() => expect.stringContaining(sentence)));
    expect(errors.slice(3)).toEqual(['The EID must be 32 digits with valid check digits.']);
  });

  test('SIM-04-partial a value that is longer than its field is reported, in full, and never used in its cut form', async () => {
    const { serial, eid } = router;
    const long = 'internet '.repeat(12).trim();
    const rows = [
      `${serial},${eid},${code()},,${long},,`,
      `${serial},${eid},${code()},,a,${long},`,
      `${serial},${eid},${code()},,b,,${long}`,
      `${serial},${eid},1$smdp.example.com$${'C'.repeat(255)},,c,,`,
      `${serial},${eid},${code()},,d,,Kept`,
    ];
    const { json } = await send(`${HEADER}\n${rows.join('\n')}\n`);
    expect(json.result).toMatchObject({ success: 1, failed: 4 });
    expect(json.result.fail.map(({ row, error }: esims.FailedProfile) => [row, error])).toEqual([
      [2, 'APN1: at most 100 characters.'],
      [3, 'APN2: at most 100 characters.'],
      [4, 'NAME: at most 100 characters.'],
      [5, 'Activation Code: at most 255 characters.'],
    ]);
    expect(json.result.report).toContain(`,,${long},,`);
    expect((await cards()).filter(({ apn }) => apn.startsWith('internet int'))).toEqual([]);
  });

  test('SIM-04-partial an extra column contains the confirmation codes of those that need one; failed rows do not return them', async () => {
    const { serial, eid } = router;
    const rows = [
      `4711,${serial},${eid},${code()}$$1,,fleet,,Requested`,
      `,${serial},${eid},${code()}$$1,,fleet,,Missing`,
      `Sunflower,UNKNOWN,${eid},${code()}$$1,,fleet,,Unknown`,
      `${'Tulip'.repeat(21)},${serial},${eid},${code()}$$1,,fleet,,Long`,
    ].join('\n');
    const response = await send(`confirmation_code,${HEADER}\n${rows}\n`);
    expect(response.json.result.fail.map(({ row, error }: esims.FailedProfile) => [row, error])).toEqual([
      [3, 'Please enter the Confirmation Code'],
      [4, 'SN not found'],
      [5, 'The confirmation code is too long.'],
    ]);
    expect(response.text).not.toMatch(/Sunflower|Tulip/u);
    const { rows: kept } = await app.owner.query(
      'select name, sealed_confirmation is not null as confirmed from esim_profiles where serial = $1',
      [serial],
    );
    expect(kept).toEqual([{ name: 'Requested', confirmed: true }]);
  });

  test('SIM-04-partial another kind of file is rejected, one without its columns too, and one of which nothing could be added', async () => {
    const row = `${HEADER}\n${router.serial},${router.eid},${code()},,fleet,,\n`;
    const other = await send(row, { fileName: 'profiles.pdf' });
    expect([other.status, other.json.error.message]).toEqual([400, 'file type error']);
    expect((await send('SN,EID\n1,2\n')).json.error.key).toBe('csv.header');
    const none = await send(`${HEADER}\nUNKNOWN,${router.eid},pre,${makeIccid(5)},a,,\n`);
    expect(none.json.error).toMatchObject({ key: 'csv.all_failed', reason: 'SN not found', detail: { success: 0, total: 1 } });
  });
});

describe('devices that leave', () => {
  test('OGL-04-partial WIN-02-partial a switch that waits is withdrawn by a transfer, in the log of the organization that planned it', async () => {
    const { pk } = await added({ name: 'Planned' });
    await set(pk, "status = 'Activated', path = 'Device.TrustedElements.SIM.1.Profile.2.', due_at = null");
    const window = { zone: 'America/Chicago', uplinks: ['ethernet'] };
    const planned = await app.call('POST', `${ONE}/use`, { as: admin, body: { profile: pk, window } });
    expect(planned.json.result.status).toBe('Assigning...');
    const moved = await app.call('POST', '/data_manager/v1/dm/org/device', {
      as: mainPerson,
      body: { origin: own.organizationId, target: sibling.organizationId, serials: [router.serial] },
    });
    expect(moved.status, moved.text).toBe(200);
    const there = await app.call('GET', `${ONE}/${pk}`, { as: app.person(sibling, 'admin') });
    expect(there.json.result).toMatchObject({ status: 'Activated', reason: '' });
    const { rows } = await app.owner.query('select use_window from esim_profiles where id = $1', [pk]);
    expect(rows).toEqual([{ use_window: null }]);
    expect((await app.logOf(own.organizationId)).slice(-2)).toEqual([
      `Withdrew the planned switch to eSIM Planned of device ${router.serial}`,
      expect.stringContaining(router.serial),
    ]);
    expect((await app.logOf(sibling.organizationId)).join()).not.toContain('switch');
  });

  test('OGL-04-partial profiles with their codes move with a transfer, and a deleted device loses its own', async () => {
    const { pk, ac } = await added({ name: 'Travels' });
    const moved = await app.call('POST', '/data_manager/v1/dm/org/device', {
      as: mainPerson,
      body: { origin: own.organizationId, target: sibling.organizationId, serials: [router.serial] },
    });
    expect(moved.status, moved.text).toBe(200);
    expect((await app.call('GET', `${ONE}/${pk}`, { as: admin })).status).toBe(404);
    const there = await app.call('GET', `${ONE}/${pk}`, { as: app.person(sibling, 'admin') });
    expect(there.json.result).toMatchObject({ ac, name: 'Travels', serial: router.serial });
    const gone = await app.call('DELETE', '/data_manager/v1/dm/devices', {
      as: mainPerson,
      body: { devices: [router.device] },
    });
    expect(gone.status, gone.text).toBe(200);
    expect((await app.owner.query('select 1 from esim_profiles where id = $1', [pk])).rows).toEqual([]);
  });
});
