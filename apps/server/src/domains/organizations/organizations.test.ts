import { visits } from '@highline/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, routersNamed } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createOrganization, createOrganizationFinder } from './index.ts';

const SERVICES = '/dmp_aa/api/v1/services/';
const system = { accountId: null, email: 'system', role: 'system', address: '' };

const app = useTestApp();
let main: MainScope;
let person: Actor;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  person = app.person(main, 'main');
});

const create = (name: string, more: { phone?: string; address?: string } = {}, scope = main) =>
  app.database.write((tx) => createOrganization(tx, scope, system, { name, ...more }, app.clock.now()));
const list = (as: Actor, query: Record<string, string | number> = {}) =>
  app.call('GET', SERVICES, { as, query: { limit: 50, ...query } });
const names = async (as: Actor, query: Record<string, string | number> = {}) =>
  (await list(as, query)).json.result.list.map((row: { name: string }) => row.name);

const fresh = routersNamed('ORG');
const device = async (scope: OrganizationScope, expired: string) => (await addDevice(app, scope, fresh(), { expired })).id;

/** Make an account of an organization one of its contacts. */
const contact = async (scope: OrganizationScope, email: string, role: 'admin' | 'user') => {
  const id = await app.seeding.account(scope, email, role);
  await app.owner.query('update accounts set is_contact = true where id = $1', [id]);
  return id;
};

describe('the list of organizations', () => {
  test('ORG-01-partial each shows its contact, phone, address and the ratio of expiring to all devices, and those that ended', async () => {
    const own = await create('Lakeshore', { phone: '+1 312 555 0142', address: '1400 Harbor Avenue' });
    await contact(own, 'zoe@lake.test', 'user');
    await contact(own, 'dana@lake.test', 'admin');
    await device(own, '12/31/2027');
    await device(own, '11/25/2026');
    await device(own, '11/01/2026');
    const gone = await device(own, '11/25/2026');
    await app.call('DELETE', '/data_manager/v1/dm/devices', { as: person, body: { devices: [gone] } });
    const { json } = await list(person);
    expect(json.total).toBe(1);
    expect(json.result.list).toEqual([
      {
        id: own.organizationId,
        name: 'Lakeshore',
        tags: [],
        type: 'project',
        phone: '+1 312 555 0142',
        address: '1400 Harbor Avenue',
        contacter: 'dana@lake.test',
        description: '',
        contacts: [
          { email: 'dana@lake.test', phone: '+1 312 555 0142', address: '1400 Harbor Avenue', role: 'super' },
          { email: 'zoe@lake.test', phone: '+1 312 555 0142', address: '1400 Harbor Avenue', role: 'vendor' },
        ],
        devices: 3,
        expire: 1,
        expireDevices: '1/3',
        ended: 1,
        online: 0,
        neverConnected: 3,
        offlineExpected: 0,
        failedRollouts: 0,
        pausedRollouts: 0,
        retentionDays: null,
        maxRetentionDays: 30,
        created: '2026-11-20T12:00:00.000Z',
        updated: '2026-11-20T12:00:00.000Z',
        rowId: 1,
      },
    ]);
  });

  test('SHR-04-partial API-04-partial rows are counted through the pages, and the list opens at the page of an organization', async () => {
    const made = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) made.push((await create(name)).organizationId);
    const rowsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
      json.result.list.map(({ name, rowId }: { name: string; rowId: number }) => [name, rowId]);
    expect(rowsOf(await list(person, { limit: 2, offset: 2 }))).toEqual([
      ['C', 3],
      ['D', 4],
    ]);
    const around = await list(person, { limit: 2, around: made[4]! });
    expect([rowsOf(around), around.json.offset]).toEqual([[['E', 5]], 4]);
    const reversed = await list(person, { limit: 2, around: made[4]!, sort: '-name' });
    expect([rowsOf(reversed)[0], reversed.json.offset]).toEqual([['E', 1], 0]);
    for (const unknown of [crypto.randomUUID(), 'none'])
      expect((await list(person, { limit: 2, around: unknown })).json.offset).toBe(0);
  });

  test('API-04-partial users with full control and read-only users are named if requested', async () => {
    const own = await create('Own');
    await contact(own, 'full@own.test', 'admin');
    await app.seeding.account(own, 'look@own.test', 'user');
    const people = { accounts: ['full@own.test', 'look@own.test'], fullControl: ['full@own.test'], onlyRead: ['look@own.test'] };
    expect((await list(person, { accounts: 'true' })).json.result.list[0]).toMatchObject(people);
    expect((await app.call('GET', SERVICES, { as: person })).json.result.list[0]).toMatchObject(people);
    expect((await list(person)).json.result.list[0]).not.toHaveProperty('accounts');
  });

  test('API-04-partial IAM-05-partial guests and limited admins have no full control, and who has no access is no user', async () => {
    const own = await create('Own');
    const admin = app.person(own, 'admin');
    const [full, left, guest, limited] = ['full', 'left', 'guest', 'limited'].map((name) => `${name}@mixed.test`) as [
      string,
      string,
      string,
      string,
    ];
    await app.seeding.account(own, full, 'admin');
    await app.seeding.account(own, left, 'none');
    const opened = await app.call(visits.openVisit.method, visits.openVisit.path, {
      as: admin,
      body: { kind: 'guest', role: 'admin', email: guest, days: 30 },
    });
    expect(opened.status, opened.text).toBe(200);
    const id = await app.seeding.account(own, limited, 'admin');
    const limitedTo = { groups: [], tags: ['north'] };
    const saved = await app.call('PUT', `/dmp_aa/api/v1/accounts/${id}/limit`, { as: admin, body: { limitedTo } });
    expect(saved.status, saved.text).toBe(200);
    expect((await list(person, { accounts: 'true' })).json.result.list[0]).toMatchObject({
      accounts: [full, guest, limited],
      fullControl: [full],
      onlyRead: [],
    });
  });

  test("ORG-01-partial contacts with the main account's role are left out", async () => {
    const own = await create('Own');
    const id = await contact(own, 'chief@own.test', 'admin');
    await app.owner.query("update accounts set roles = array['r.kmpService.vendor.super'] where id = $1", [id]);
    expect((await list(person)).json.result.list[0]).toMatchObject({ contacts: [], contacter: '' });
    expect(await names(person, { search: 'chief', field: 'email' })).toEqual([]);
  });

  test('ORG-01-partial a main account sees its organizations, a member its own one, and no one a deleted one', async () => {
    const [own, other] = [await create('Own'), await create('Other')];
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    await create('Far', {}, foreignUser);
    expect(await names(person)).toEqual(['Other', 'Own']);
    expect(await names(app.person(own, 'user'))).toEqual(['Own']);
    await app.owner.query('update organizations set deleted_at = now() where id = $1', [other.organizationId]);
    expect(await names(person)).toEqual(['Own']);
    expect(await names(app.person(foreignUser, 'main'))).toEqual(['Far']);
  });

  test('ORG-01-partial it is searched by name, e-mail, phone and address, case-sensitive, and sorted by every column', async () => {
    const a = await create('Alpha', { phone: '111', address: 'North Street' });
    const b = await create('beta', { phone: '222', address: 'South Street' });
    await contact(a, 'zed@x.test', 'admin');
    await contact(b, 'amy@x.test', 'admin');
    await device(b, '12/31/2027');
    expect(await names(person, { search: 'a' })).toEqual(['Alpha', 'beta']);
    expect(await names(person, { search: 'A' })).toEqual(['Alpha']);
    expect(await names(person, { search: 'amy', field: 'email' })).toEqual(['beta']);
    expect(await names(person, { search: '11', field: 'phone' })).toEqual(['Alpha']);
    expect(await names(person, { search: 'North', field: 'address' })).toEqual(['Alpha']);
    expect(await names(person, { search: '%' })).toEqual([]);
    expect(await names(person, { sort: '-name' })).toEqual(['beta', 'Alpha']);
    expect(await names(person, { sort: 'contact' })).toEqual(['beta', 'Alpha']);
    expect(await names(person, { sort: '-devices' })).toEqual(['beta', 'Alpha']);
    expect(await names(person, { sort: 'phone' })).toEqual(['Alpha', 'beta']);
    expect(await names(person, { id: b.organizationId })).toEqual(['beta']);
    expect(await names(person, { id: 'x' })).toEqual([]);
  });

  test('ORG-01-partial it is paged, and without a limit streamed as a whole', async () => {
    for (const name of ['A', 'B', 'C']) await create(name);
    const page = await list(person, { limit: 2, offset: 2 });
    expect(page.json).toMatchObject({ total: 3, result: { list: [{ name: 'C' }] } });
    const whole = await app.call('GET', `${SERVICES}?founder=true`, { as: person });
    expect(whole.json).toMatchObject({ total: 3, result: { list: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] } });
    expect((await list(person, { cursor: 'x' })).status).toBe(400);
  });

  test('SHR-08-partial the CSV has the same rows, and its ratio is not a date', async () => {
    const own = await create('=1+1', { phone: '+1 312 555 0142', address: '1400 Harbor Avenue, Chicago' });
    await contact(own, 'dana@own.test', 'admin');
    await device(own, '11/25/2026');
    const csv = await app.call('GET', '/dmp_aa/api/v1/services/export', { as: person });
    expect(csv.headers['content-disposition']).toBe('attachment; filename="Organizations_export.csv"');
    expect(csv.text).toBe(
      '\ufeff#,Org Name,Contact,Phone,Address,Expiring/All Devices,Online/All Devices,Groups with Failed Routers,Expiring\r\n1,\'=1+1,dana@own.test,+1 312 555 0142,"1400 Harbor Avenue, Chicago",1 / 1,0 / 1,0,1\r\n',
    );
    expect((await app.call('GET', '/dmp_aa/api/v1/services/export', { as: app.person(own, 'admin') })).status).toBe(403);
  });
});

describe('an organization', () => {
  test('ORG-03-partial is created with its default group and an entry in its own log', async () => {
    const own = await create('Own');
    const { json } = await app.call('GET', '/data_manager/v1/dm/group', { as: app.person(own, 'user') });
    expect(json.result).toMatchObject([{ group: 'default+group+id', group_name: 'default', deviceCount: 0 }]);
    expect(await app.logOf(own.organizationId)).toEqual(['Created organization Own']);
  });

  test('ORG-03-partial without a name is rejected', async () => {
    await expect(
      app.database.write((tx) => createOrganization(tx, main, system, { name: '   ' }, app.clock.now())),
    ).rejects.toMatchObject({
      key: 'request.invalid',
    });
  });

  test('ORG-01-partial belongs to its main account until it is deleted', async () => {
    const own = await create('Own');
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const { ownsOrganization } = createOrganizationFinder(app.database);
    expect(await ownsOrganization(main, own.organizationId, false)).toBe(true);
    expect(await ownsOrganization(foreignUser, own.organizationId, true)).toBe(false);
    await app.owner.query('update organizations set deleted_at = now() where id = $1', [own.organizationId]);
    expect(await ownsOrganization(main, own.organizationId, false)).toBe(false);
  });
});
