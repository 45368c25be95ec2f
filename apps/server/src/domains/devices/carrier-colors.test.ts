import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { readCarrierColors, withColors } from './carrier-colors.ts';

const BASE = '/data_manager/v1/dm';
const app = useTestApp();
const fresh = routersNamed('CC');
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let user: Actor;

const use = (scope: OrganizationScope, carrier: string) =>
  addDevice(app, scope, fresh(), { columns: { carrier, presence: 'online' } });
const colorsOf = async (as: Actor, query: Record<string, string> = {}) => {
  app.clock.advance(2_000);
  const { result } = (await app.call('GET', `${BASE}/statistics`, { as, query })).json;
  const carriers = result.carriers as readonly { carrier: string; color: number }[];
  return Object.fromEntries(carriers.map(({ carrier, color }) => [carrier, color]));
};
const change = (as: Actor, body: object) => app.call('PUT', `${BASE}/carrier-color`, { as, body });

beforeAll(async () => {
  ({ own, sibling, user } = await openHome(app));
  admin = app.person(own, 'admin');
  for (const carrier of ['Verizon', 'AT&T', 'T-Mobile']) await use(own, carrier);
});

describe('the colour of a carrier', () => {
  test('SAY-11-partial is kept for the organization: one that comes gets an own one, and changes no other', async () => {
    const first = await colorsOf(user);
    expect(new Set(Object.values(first)).size).toBe(3);
    await use(own, 'Aardvark Mobile');
    const later = await colorsOf(admin);
    expect(later).toMatchObject(first);
    expect(new Set(Object.values(later)).size).toBe(4);
    await use(sibling, 'Aardvark Mobile');
    expect(await colorsOf(app.person(sibling, 'user'))).toEqual({ 'Aardvark Mobile': 1 });
  });

  test('SAY-11-partial an admin changes one, for everyone of the organization and for no other', async () => {
    const before = await colorsOf(user);
    expect((await change(user, { carrier: 'Verizon', color: 5 })).status).toBe(403);
    expect((await change(admin, { carrier: 'Verizon', color: 5 })).json.result).toEqual({ carrier: 'Verizon', color: 5 });
    expect(await colorsOf(user)).toEqual({ ...before, Verizon: 5 });
    const log = await app.call('GET', '/oss/v1/log', { as: admin, query: { limit: '1' } });
    expect(log.status === 200 ? JSON.stringify(log.json) : 'Verizon').toContain('Verizon');
    expect((await change(app.person(sibling, 'admin'), { carrier: 'Verizon', color: 2 })).status).toBe(404);
    for (const color of [0, 6, 1.5, 'red']) expect((await change(admin, { carrier: 'Verizon', color })).status).toBe(400);
    for (const carrier of ['', 'x'.repeat(201)]) expect((await change(admin, { carrier, color: 1 })).status).toBe(400);
    expect((await change(admin, { carrier: 'No such carrier', color: 1 })).status).toBe(404);
  });

  test('SAY-11-partial two that read at once give one colour, and invented carriers beyond a hundred are not kept', async () => {
    const names = ['One', 'Two', 'Three', 'Four'];
    const [a, b] = await Promise.all([
      readCarrierColors(app.database, sibling, names),
      readCarrierColors(app.database, sibling, names),
    ]);
    expect([...b]).toEqual([...a]);
    const many = Array.from({ length: 150 }, (_, index) => `Carrier ${index}`);
    expect((await readCarrierColors(app.database, sibling, many)).size).toBeGreaterThanOrEqual(150);
    const { rows } = await app.owner.query('select count(*)::int as count from carrier_colors where owner_id = $1', [
      sibling.organizationId,
    ]);
    expect(rows[0].count).toBe(100);
  });

  test('SAY-11-partial a further carrier gets the colour that the fewest have', () => {
    expect([...withColors(['d', 'c'], new Map([['a', 1], ['b', 2]]))]).toEqual([['a', 1], ['b', 2], ['c', 3], ['d', 4]]); // prettier-ignore
    expect(withColors(['f'], new Map(['a', 'b', 'c', 'd', 'e'].map((name, index) => [name, index + 1]))).get('f')).toBe(1);
  });
});
