import type { places } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import { openHome } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = useTestApp();
let admin: Actor;
let user: Actor;
let mainPerson: Actor;
let own: OrganizationScope;
let unrelated: Actor;

beforeAll(async () => {
  ({ admin, user, mainPerson, own } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  const depot = { kind: 'circle', latitude: 41.9763, longitude: -87.6861, radius: 100 };
  const yard = { kind: 'polygon', rings: [[[-96.03, 41.25], [-96.02, 41.25], [-96.02, 41.26], [-96.03, 41.26], [-96.03, 41.25]]] }; // prettier-ignore
  for (const [name, shape] of [
    ['North depot', depot],
    ['West yard', yard],
  ] as const)
    // prettier-ignore
    await app.call('POST', '/data_manager/v1/dm/geofences', { as: admin, body: { name, shape } });
});

const ask = (at: string, as: Actor, query: object = {}) =>
  app.call('GET', '/data_manager/v1/dm/places', { as, query: { at, ...query } });
const describeOne = async (at: string, as = user): Promise<places.Place> => {
  const { status, json, text } = await ask(at, as);
  expect(status, text).toBe(200);
  return (json.result as places.Place[])[0]!;
};

describe('SAY-07-partial a place is described', () => {
  test('the street and the crossing of the shipped map, and the nearest geofence with its direction', async () => {
    // 60 m west of Western Avenue, on Foster Avenue.
    expect(await describeOne('41.97626,-87.68672')).toEqual({
      street: 'Foster Avenue',
      crossing: 'Western Avenue',
      near: { kind: 'geofence', name: 'North depot', chinese: null, metres: 0, direction: 'w' },
    });
    // 250 m south, on Western Avenue, between the large streets.
    expect(await describeOne('41.974,-87.6861')).toMatchObject({
      street: 'Western Avenue',
      crossing: 'Foster Avenue',
      near: { name: 'North depot', metres: expect.closeTo(156, -1) as number, direction: 's' },
    });
  });

  test('a place in and near a geofence with corners', async () => {
    expect(await describeOne('41.2551,-96.0251')).toMatchObject({ near: { name: 'West yard', metres: 0 } });
    expect(await describeOne('41.255,-96.01')).toMatchObject({
      near: { name: 'West yard', metres: expect.closeTo(836, -1) as number, direction: 'e' },
    });
  });

  test('where there is neither a street nor a geofence, the town that it belongs to', async () => {
    expect(await describeOne('25.04,121.56')).toEqual({
      street: null,
      crossing: null,
      near: expect.objectContaining({ kind: 'town', name: 'Taipei', chinese: '臺北', metres: 0 }) as unknown,
    });
    // A place by the lake in the north of Chicago is in Chicago, though the middle of Evanston is nearer.
    expect(await describeOne('41.968,-87.651', mainPerson)).toMatchObject({
      near: { name: 'Chicago', metres: 0, direction: 'n' },
    });
    expect(await describeOne('0,-30')).toEqual({ street: null, crossing: null, near: null });
    expect(await describeOne('-89.9,180')).toEqual({ street: null, crossing: null, near: null });
  });

  test('many places in one call, in their order; geofences of others are not named', async () => {
    const { json } = await ask('41.97626,-87.68672,25.04,121.56;41.9719,-87.6861', user);
    expect((json.result as places.Place[]).map(({ near }) => near?.name)).toEqual(['North depot', 'Taipei', 'North depot']);
    expect((await describeOne('41.97626,-87.68672', unrelated)).near).toMatchObject({ kind: 'town', name: 'Chicago' });
    const named = await ask('41.97626,-87.68672', mainPerson, { org: own.organizationId });
    expect(named.json.result[0].near.name).toBe('North depot');
    expect((await ask('41.97626,-87.68672', unrelated, { org: own.organizationId })).status).toBe(404);
  });

  test('what is no place is rejected, and more than 50', async () => {
    for (const at of ['', '41.9', '91,0', '0,181', '41.9,-87.6;', '1,2,3', 'a,b', '1e5,2', `${'1,1;'.repeat(50)}1,1`])
      expect([at, (await ask(at, user)).status]).toEqual([at, 400]);
    expect((await ask(`${'1,1;'.repeat(49)}1,1`, user)).json.result).toHaveLength(50);
  });
});
