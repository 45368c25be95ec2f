import { crc32, deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { readPdfPages } from '../../testing/pdf.ts';
import { useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm/summaries';
const app = useTestApp('2026-11-20T12:00:00Z');
const fresh = routersNamed('RS');
let own: OrganizationScope;
let admin: Actor;
let user: Actor;
let unrelated: Actor;
let bus: TestDevice;

const settings = async (as: Actor) => (await app.call('GET', `${BASE}/settings`, { as })).json.result;
const save = (body: object, headers: Readonly<Record<string, string>> = {}, as = admin) =>
  app.call('PUT', `${BASE}/settings`, { as, body, headers });

beforeAll(async () => {
  ({ own, admin, user } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 1', presence_since: '2026-11-01' } });
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  await app.owner.query(
    `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
     values ($1, $2, $3, '2026-11-19T10:00:00Z', '2026-11-19T10:14:24Z', 'lost', 'no-answer', '', '', '')`,
    [own.organizationId, bus.id, bus.routerId],
  );
});

const day = { from: '2026-11-19', until: '2026-11-19' };

describe('settings of reports', () => {
  test('RPM-05-partial an availability that is agreed stands next to the share, and how far it is from it', async () => {
    expect(await settings(user)).toEqual({ target: null, carrierTargets: [], filesDays: 35, hasLogo: false, version: '0' });
    const body = { target: 99.5, carrierTargets: [{ carrier: '', target: 98 }], filesDays: 90 };
    expect((await save({ ...body, carrierTargets: [{ carrier: '', target: 98 }] })).status).toBe(400);
    expect((await save({ ...body, carrierTargets: [{ carrier: 'Northern', target: 98 }] })).status).toBe(200);
    const sums = async (query = {}) =>
      (await app.call('GET', '/data_manager/v1/dm/outages/sums', { as: user, query: { ...day, by: 'vehicles', ...query } })).json
        .result;
    expect(await sums()).toMatchObject([{ name: 'Bus 1', share: 99, target: 99.5 }]);
    await app.owner.query(`update outages set carrier = 'Northern'`);
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-10', 'carrier', 'Northern')`,
      [bus.routerId],
    );
    expect(await sums({ by: 'carriers' })).toMatchObject([{ name: 'Northern', share: 99, target: 98 }]);
    expect(await sums({ carrier: 'Northern' })).toMatchObject([{ name: 'Bus 1', share: 99, target: 98 }]);
    const { text } = await app.call('GET', `${BASE}/file`, { as: user, query: { kind: 'availability', format: 'csv', ...day } });
    expect(text.split('\r\n').slice(-3, -1)).toEqual([
      expect.stringMatching(/^Name,Availability \(%\),Target \(%\),Against the target,/u),
      expect.stringMatching(/^Bus 1,99\.00,99\.50,-0\.50,/u),
    ]);
    expect(await app.logOf(own.organizationId)).toContain('Changed the settings of reports');
  });

  test('RPM-05 the availability of each group and carrier stands against what is agreed, the worst ten first, on the page, in the document and in the file', async () => {
    const home = await openHome(app);
    const body = { target: 99, carrierTargets: [{ carrier: 'Carrier 12', target: 90 }], filesDays: 35 };
    expect((await save(body, {}, home.admin)).status).toBe(200);
    for (let number = 1; number <= 12; number += 1) {
      const group = await app.seeding.group(home.own, `Line ${number}`);
      const columns = { vehicle_number: `Car ${number}`, presence_since: '2026-11-01' };
      const { id, routerId } = await addDevice(app, home.own, fresh(), { group, columns });
      await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [routerId]);
      await app.owner.query(`insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-10', 'carrier', $2)`, [
        routerId,
        `Carrier ${number}`,
      ]);
      // A hundredth of the day for each number.
      await app.owner.query(
        `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
         values ($1, $2, $3, '2026-11-19T10:00:00Z', '2026-11-19T10:00:00Z'::timestamptz + make_interval(secs => 864 * $4::int), 'lost', 'no-answer', $5, '', '')`,
        [home.own.organizationId, id, routerId, number, `Carrier ${number}`],
      );
    }
    const worst = async (by: 'groups' | 'carriers') => {
      const query = { ...day, by, sort: 'share', limit: '10' };
      const { result } = (await app.call('GET', '/data_manager/v1/dm/outages/sums', { as: home.user, query })).json;
      return result.map(({ name, share, target }: Record<string, unknown>) => [name, share, target]);
    };
    const numbers = Array.from({ length: 10 }, (_, index) => 12 - index);
    expect(await worst('groups')).toEqual(numbers.map((number) => [`Line ${number}`, 100 - number, 99]));
    expect(await worst('carriers')).toEqual(
      numbers.map((number) => [`Carrier ${number}`, 100 - number, number === 12 ? 90 : 99]),
    );
    const file = async (query: Readonly<Record<string, string>>) =>
      app.call('GET', `${BASE}/file`, { as: home.user, query: { kind: 'availability', ...day, ...query } });
    const text = (await readPdfPages((await file({ format: 'pdf' })).bytes)).join(' ');
    for (const part of ['Groups, the worst ten', 'Carriers, the worst ten', 'Vehicles, the worst ten', 'Against the target'])
      expect(text).toContain(part);
    const [tables] = text.split('Vehicles, the worst ten');
    for (const name of ['Line', 'Carrier']) {
      expect(tables).toContain(`${name} 3 97.00`);
      expect(tables).not.toContain(`${name} 2 98.00`);
    }
    expect(tables).toMatch(/Line 12 88\.00 99\.00 -11\.00/u);
    expect(tables).toMatch(/Carrier 12 88\.00 90\.00 -2\.00/u);
    for (const sumBy of ['groups', 'carriers'])
      expect((await file({ format: 'csv', sumBy })).text.split('\r\n'), sumBy).toHaveLength(4 + 1 + 12 + 1);
    // One that never connected is not among those that have an availability.
    await addDevice(app, home.own, fresh(), { columns: { vehicle_number: 'Spare' } });
    expect((await readPdfPages((await file({ format: 'pdf' })).bytes)).join(' ')).toContain('11 / 12');
  });

  test('RPM-05-partial settings of another version, and of others, stay', async () => {
    const body = { target: 90, carrierTargets: [], filesDays: 35 };
    expect((await save(body, { 'if-match': '"0"' })).status).toBe(412);
    expect((await save(body, {}, user)).status).toBe(403);
    expect(await settings(unrelated)).toMatchObject({ target: null });
    for (const wrong of [
      { target: 101 },
      { filesDays: 1 },
      {
        carrierTargets: [
          { carrier: 'A', target: 1 },
          { carrier: 'A', target: 2 },
        ],
      },
    ])
      expect((await save({ ...body, ...wrong })).status, JSON.stringify(wrong)).toBe(400);
  });

  test('RPM-02-partial the logo stands in documents; one of 20 MB is rejected for its size', async () => {
    const pdf = async () =>
      (await app.call('GET', `${BASE}/file`, { as: user, query: { kind: 'inventory', format: 'pdf' } })).text;
    expect(await pdf()).not.toContain('/Subtype /Image');
    expect(
      (await app.call('POST', `${BASE}/settings/logo`, { as: admin, body: {}, file: Buffer.alloc(20_000_000) })).json,
    ).toMatchObject({
      error: { key: 'logo.too_large' },
    });
    expect((await app.call('POST', `${BASE}/settings/logo`, { as: admin, body: {}, file: onePixel() })).json.result.hasLogo).toBe(
      true,
    );
    expect(await pdf()).toContain('/Subtype /Image');
    expect((await app.call('DELETE', `${BASE}/settings/logo`, { as: admin, body: {} })).json.result.hasLogo).toBe(false);
    expect(await pdf()).not.toContain('/Subtype /Image');
  });
});

/** A PNG. */
function onePixel(): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: readonly number[] | Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]),
      chunk('IDAT', deflateSync(Buffer.from([0, 31, 95, 191, 255]))),
      chunk('IEND', []),
    ]),
  );
}
