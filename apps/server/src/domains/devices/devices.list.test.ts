import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type DeviceFacts } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm';

const app = useTestApp();
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;

beforeEach(async () => {
  app.clock.set('2026-11-20T12:00:00Z');
  ({ own, sibling, mainPerson, admin, user } = await openHome(app));
});

const fresh = routersNamed('SC');
const device = (scope = own, more: DeviceFacts = {}) => addDevice(app, scope, fresh(), more);

const list = (as: Actor, query: Record<string, string | number> = {}) =>
  app.call('GET', `${BASE}/devices`, { as, query: { limit: 50, ...query } });
const serials = (response: { json: { result: { serial_number: string }[] } }) =>
  sorted(response.json.result.map((row) => row.serial_number));

describe('the list of devices', () => {
  test('DEV-02-partial each filter finds what it names, and combined filters narrow the result', async () => {
    const depot = await app.seeding.group(own, 'North depot');
    const subscribed = await device(own, {
      expired: '12/31/2027',
      group: depot,
      columns: { presence: 'online', carrier: 'Verizon' },
    });
    const expiring = await device(own, {
      expired: '11/21/2026',
      columns: { presence: 'offline', presence_since: '2026-11-20T10:00:00Z', carrier: 'AT&T' },
    });
    const ended = await device(own, { expired: '11/19/2026', columns: { presence: 'online' } });
    const begins = await device(own, { started: '11/21/2026', expired: '12/31/2027', columns: { presence: 'unknown' } });
    const found = async (query: Record<string, string>) => serials(await list(admin, query));
    expect(await found({})).toEqual([subscribed, expiring, ended, begins].map(({ serial }) => serial));
    expect(await found({ service: 'subscribed' })).toEqual([subscribed.serial]);
    expect(await found({ service: 'expiring' })).toEqual([expiring.serial]);
    expect(await found({ service: 'not-subscribed' })).toEqual([ended.serial]);
    expect(await found({ service: 'starting' })).toEqual([begins.serial]);
    expect(await found({ presence: 'online' })).toEqual([subscribed.serial, ended.serial]);
    expect(await found({ presence: 'offline' })).toEqual([expiring.serial]);
    expect(await found({ group: depot })).toEqual([subscribed.serial]);
    expect(await found({ group: 'default group id' })).toHaveLength(3);
    expect(await found({ carrier: 'AT&T' })).toEqual([expiring.serial]);
    expect(await found({ service: 'not-subscribed', presence: 'online' })).toEqual([ended.serial]);
    const { json } = await list(admin, { presence: 'online', limit: 1 });
    expect(json).toMatchObject({ total: 2, online: 2, offset: 0 });
  });

  test('OGL-02-partial expiring today, this week and this month are days in UTC, in which subscriptions end, for readers of every zone', async () => {
    app.clock.set('2026-11-21T03:30:00Z'); // still Friday the 20th in America, with 20.5 h left of the subscription
    const days = ['11/15/2026', '11/20/2026', '11/21/2026', '11/22/2026', '11/30/2026', '12/01/2026'];
    const made = new Map<string, string>();
    for (const expired of days) made.set((await device(own, { expired })).serial, expired);
    const found = async (expiration: string, zone: string) =>
      serials(await list(admin, { expiration, zone })).map((serial) => made.get(serial)!);
    for (const zone of ['America/Chicago', 'Pacific/Guam']) {
      expect(await found('today', zone)).toEqual(['11/21/2026']);
      expect(await found('week', zone)).toEqual(['11/15/2026', '11/20/2026', '11/21/2026']);
      expect(await found('month', zone)).toEqual(days.slice(0, 5));
    }
  });

  test('SHR-05-partial a search is a case-sensitive substring of the chosen field', async () => {
    const depot = await app.seeding.group(own, 'North depot');
    const a = await device(own, { group: depot, columns: { vehicle_number: 'Bus 100%', config: 'depot_1.cfg' } });
    const b = await device(own, { columns: { vehicle_number: 'bus 1000', config: 'depotX1.cfg' } });
    const found = async (search: string, field: string) => serials(await list(admin, { search, field }));
    expect(await found('Bus', 'vehicle')).toEqual([a.serial]);
    expect(await found('us 1', 'vehicle')).toEqual([a.serial, b.serial]);
    expect(await found('0%', 'vehicle')).toEqual([a.serial]);
    expect(await found('_', 'config')).toEqual([a.serial]);
    expect(await found('t_1', 'config')).toEqual([a.serial]);
    expect(await found('depot', 'group')).toEqual([a.serial]);
    expect(await found('fault', 'group')).toEqual([b.serial]);
    expect(await found('u', 'vehicle')).toEqual([a.serial, b.serial]);
    expect(await found(b.serial.slice(2), 'serial')).toEqual([b.serial]);
    expect(await found('Own', 'organization')).toEqual([a.serial, b.serial]);
    expect(await found('no-such-device', 'vehicle')).toEqual([]);
    expect((await list(admin, { search: 'x', field: 'mac' })).status).toBe(400);
  });

  test('SAY-10 a search in any field finds vehicle, serial number, ICCID, MTN and IMEI in any case, and nothing of another tenant', async () => {
    const numbers = (last: string) => ({
      iccid: `8914800000123456${last}`,
      imei: `35693803564380${last}`,
      mtn: `1312555010${last}`,
    });
    const bus = await device(own, { columns: { vehicle_number: 'Bus 2117', ...numbers('01') } });
    const tram = await device(own, { columns: { vehicle_number: 'Tram 9', ...numbers('02') } });
    const theirs = await device(sibling, { columns: { vehicle_number: 'Bus 2117', ...numbers('03') } });
    const found = async (search: string, as = admin) => serials(await list(as, { search, field: 'any' }));
    expect(await found('bus 2117')).toEqual([bus.serial]);
    expect(await found(tram.serial.toLowerCase())).toEqual([tram.serial]);
    expect(await found(' 891480000012345602 ')).toEqual([tram.serial]);
    expect(await found('8914 8000 0012 3456 01')).toEqual([bus.serial]);
    expect(await found('438001')).toEqual([bus.serial]);
    expect(await found('+1 312 555 010 02')).toEqual([tram.serial]);
    expect(await found('8914800000123456')).toEqual([bus.serial, tram.serial]);
    expect(await found('m 9')).toEqual([tram.serial]);
    expect(await found('9')).toContain(tram.serial);
    expect(await found('%')).toEqual([]);
    expect(await found('891480000012345603')).toEqual([]);
    expect(await found('891480000012345603', mainPerson)).toEqual([theirs.serial]);
    expect(await found('Bus 2117', mainPerson)).toEqual([bus.serial, theirs.serial]);
    expect((await list(admin, { search: 'Bus', field: 'any', limit: 1 })).json).toMatchObject({ total: 1, online: 0 });
  });

  test('OGL-01-partial the main account sees the devices of its organizations, and an organization only its own', async () => {
    const [mine, theirs] = [await device(own), await device(sibling)];
    const far = await app.seeding.organization((await app.seeding.mainAccount('Abroad')).scope, 'Own');
    await device(far);
    expect(serials(await list(mainPerson))).toEqual([mine.serial, theirs.serial]);
    expect(serials(await list(mainPerson, { org: sibling.organizationId }))).toEqual([theirs.serial]);
    expect(serials(await list(mainPerson, { search: 'Sib', field: 'organization' }))).toEqual([theirs.serial]);
    expect(serials(await list(admin))).toEqual([mine.serial]);
    expect((await list(admin, { org: sibling.organizationId })).status).toBe(404);
    expect((await list(mainPerson, { org: far.organizationId })).status).toBe(404);
  });

  test('DEV-01-partial without a limit the whole list is streamed with its total', async () => {
    const all = [];
    for (let index = 0; index < 7; index += 1) all.push((await device()).serial);
    const response = await app.call('GET', `${BASE}/devices/`, { as: user, query: { sort: '-serial' } });
    expect(response.json.result.map((row: { serial_number: string }) => row.serial_number)).toEqual(all.toReversed());
    expect(response.json.total).toBe(7);
  });

  test('SHR-04-partial `around` opens the page that contains a device, and the first page for an unknown one', async () => {
    const all = [];
    for (let index = 0; index < 8; index += 1) all.push(await device());
    const page = await list(admin, { limit: 3, around: all[7]!.id });
    expect([page.json.offset, ...serials(page)]).toEqual([6, all[6]!.serial, all[7]!.serial]);
    const theirs = await device(sibling);
    for (const around of [theirs.id, newId(), 'x']) expect((await list(admin, { limit: 3, around })).json.offset).toBe(0);
  });

  test.each([
    [{ sort: 'mac' }],
    [{ limit: 0 }],
    [{ limit: 201 }],
    [{ offset: -1 }],
    [{ cursor: 'nonsense' }],
    [{ service: 'gone' }],
    [{ search: 'x'.repeat(10_000) }],
  ])('DEV-02-partial the query %j is rejected with an explanation', async (query) => {
    const { status, json } = await list(admin, query);
    expect([status, json.error.key]).toEqual([400, 'request.invalid']);
  });

  test('DEV-09-partial a router that reported nothing has no values, and none is invented', async () => {
    await device();
    const [row] = (await list(admin)).json.result;
    expect(row).toMatchObject({
      properties: [],
      cellular_mno: null,
      cellular_imsi: null,
      cellular_iccid: null,
      cellular_mtn: null,
      last_seen: null,
    });
  });

  test('DEV-01-partial uptime is counted in seconds while the router is online, and absent otherwise', async () => {
    const { id } = await device(own, { columns: { presence: 'online', booted_at: '2026-11-18T10:59:57Z' } });
    const uptime = async () =>
      (await list(admin)).json.result[0].properties.find((value: { id: string }) => value.id === 'uptime');
    expect(await uptime()).toEqual({ id: 'uptime', value: String(2 * 86_400 + 3_603) });
    await app.owner.query("update devices set presence = 'offline', presence_reason = 'Lost power' where id = $1", [id]);
    expect(await uptime()).toBeUndefined();
    expect((await list(admin)).json.result[0]).toMatchObject({ field_value: false, presence_reason: 'Lost power' });
  });
});
