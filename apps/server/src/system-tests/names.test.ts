import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../kernel/index.ts';
import { addDevice, openHome, routersNamed } from '../testing/home.ts';
import { useTestApp } from '../testing/test-app.ts';

const DM = '/data_manager/v1/dm';
const app = useTestApp();
const fresh = routersNamed('NaMe');
let own: OrganizationScope;
let admin: Actor;
let mainPerson: Actor;

beforeAll(async () => {
  ({ own, admin, mainPerson } = await openHome(app));
  // Views refer to the row of their person.
  Object.assign(admin, { accountId: await app.seeding.account(own, 'admin@names.example', 'admin') });
});

const post = (path: string, body: object, as = admin) => app.call('POST', `${DM}/${path}`, { as, body });

const shape = { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 100 };

describe('names', () => {
  test.each([
    ['group', {}],
    ['geofences', { shape }],
    ['commands', { kind: 'reboot' }],
    ['properties', { type: 'bool' }],
    ['views', { list: 'devices', content: { search: {}, layout: {} } }],
  ])('of %s are one whatever their case, blanks and form of letters, and have no invisible characters', async (path, rest) => {
    const named = (name: string) => post(path, { ...rest, name });
    const made = await named('Z\u00fcrich depot');
    expect(made.status, made.text).toBe(200);
    for (const name of ['Z\u00fcrich depot', 'Zu\u0308rich depot', 'ZU\u0308RICH \u00a0 DEPOT ']) {
      const { status, json } = await named(name);
      expect([status, json.error.key, json.error.field], name).toEqual([409, expect.stringMatching(/name_taken$/u), 'name']);
    }
    for (const name of ['\u200b', 'Z\u00fcrich de\u200bpot', '\u202etoped']) {
      const { status, json } = await named(name);
      expect([status, json.error.field, json.error.message], name).toEqual([
        400,
        'name',
        expect.stringContaining('must not contain invisible characters (U+20'),
      ]);
    }
    expect((await named('🚌'.repeat(30))).status).toBe(200);
  });

  test('of groups are as long as the characters that people count, and the answer says so', async () => {
    expect((await post('group', { name: '🚌'.repeat(100) })).status).toBe(200);
    const { status, json } = await post('group', { name: '🚎'.repeat(101) });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('must have at most 100 characters')]);
  });

  test('DEV-02-partial of vehicles are found composed and decomposed; a tag is the one that another vehicle has', async () => {
    const [first, second] = [await addDevice(app, own, fresh()), await addDevice(app, own, fresh())];
    const save = async (device: string, vehicleNumber: string, tag: string) =>
      (await app.call('PATCH', `${DM}/device`, { as: admin, body: { device, vehicleNumber, tags: [tag] } })).json.result;
    expect(await save(first.id, 'Zu\u0308rich 1', 'Zu\u0308rich')).toMatchObject({ tags: ['Z\u00fcrich'] });
    expect(await save(second.id, 'Z\u00fcrich 2', 'z\u00dcRICH')).toMatchObject({ tags: ['Z\u00fcrich'] });
    for (const tag of ['Z\u00fcrich', 'Zu\u0308RICH', ' z\u00fcrich\ufe0f ']) {
      const found = await app.call('GET', `${DM}/devices`, { as: admin, query: { limit: 5, sort: 'vehicle', tag } });
      expect(
        found.json.result.map(({ device }: { device: string }) => device),
        tag,
      ).toEqual([first.id, second.id]);
    }
    expect((await app.call('GET', `${DM}/devices`, { as: admin, query: { limit: 5, tag: 'Zurich' } })).json.result).toEqual([]);
    for (const search of ['Z\u00fcrich', 'Zu\u0308rich', 'Z\u00fcrich\u00a0']) {
      const query = { limit: 5, field: 'vehicle', sort: 'vehicle', search };
      const found = await app.call('GET', `${DM}/devices`, { as: admin, query });
      expect(found.json.result.map(({ device }: { device: string }) => device)).toEqual([first.id, second.id]);
    }
  });

  test('DEV-02-partial sort by the value of their numbers, without case, umlauts with their letter, on every page and in both directions', async () => {
    const names = ['apple', 'Äpfel', 'Truck 1', 'Truck 2', 'truck 3', 'Truck 10', 'Über 7', 'Über 12', 'Zebra'];
    for (const vehicle_number of names.toReversed())
      await addDevice(app, own, fresh(), { columns: { vehicle_number, note: 'natural order' } });
    const read = async (sort: string): Promise<string[]> => {
      const found: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
        const query: Record<string, string | number> = {
          sort,
          limit: 2,
          field: 'note',
          search: 'natural order',
          ...(cursor && { cursor }),
        };
        const { json } = await app.call('GET', `${DM}/devices`, { as: admin, query });
        found.push(...json.result.map((row: { vehicle_number: string }) => row.vehicle_number));
        cursor = json.next;
      }
      return found;
    };
    expect(await read('vehicle')).toEqual(names);
    expect(await read('-vehicle')).toEqual(names.toReversed());
  });
});

describe('serial numbers', () => {
  const enter = (serial_number: string, mac: string) => post('inventory', { serial_number, mac }, mainPerson);

  test('DEV-05-partial are one whatever their case, in the inventory and in a file', async () => {
    expect((await enter('CASE0006A', '00B2D0CA5E06')).status).toBe(200);
    expect((await enter('case0006a', '00B2D0CA5E07')).json.error).toMatchObject({ key: 'inventory.serial_taken' });
    const file =
      'SN,MAC\nCase0006a,00B2D0CA5E08\nNEW7b,\u00a000B2D0CA5E09\u200b\nnew7B,00\u2013B2\u2013D0\u2013CA\u20135E\u201310\n';
    const { json } = await app.call('POST', `${DM}/inventory/batch`, { as: mainPerson, file, query: { dryRun: '1' } });
    expect(json.result).toMatchObject({
      success: 1,
      fail: [
        { row: 2, error: 'This serial number is already in the inventory.' },
        { row: 4, error: 'This serial number is in the file twice. Before it is written NEW7b.' },
      ],
    });
  });

  test('DEV-06-partial are found in any case when a device is added', async () => {
    await enter('Claim08x', '00B2D0CA5E18');
    const device = { serial_number: 'cLAIM08X', mac: '00-b2-d0-ca-5e-18', started: '01/01/2026', expired: '12/31/2027' };
    expect((await post('devices', { devices: [device] })).json.result).toMatchObject([{ serial_number: 'Claim08x' }]);
    expect((await post('devices', { devices: [device] })).json.error).toMatchObject({ key: 'device.duplicate' });
  });
});

test('GRP-06-partial every table whose names are unique also has them unique without case', async () => {
  const { rows } = await app.owner.query<{ table: string; definition: string }>(
    `select tablename as table, string_agg(indexdef, ' ') as definition from pg_indexes
      where indexdef like 'CREATE UNIQUE%' group by 1 having bool_or(indexdef ~ '[ (]name( COLLATE "C")?[,)]')`,
  );
  // Names of files, of reports that a new one replaces, and of this installation's own keys, parameters and tasks.
  const exact = ['config_files', 'saved_reports'];
  const people = rows.filter(({ definition }) => /organization_id/u.test(definition));
  expect(
    people
      .filter(({ definition }) => !definition.includes('name_key(name)'))
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(exact);
});
