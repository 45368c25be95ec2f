import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { recordOnlineShares } from './online-shares.ts';
import { readDeviation } from './deviation.queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Friday. */
const NOW = '2026-11-20T10:58:00Z';

const app = useTestApp(NOW);
const fresh = routersNamed('DV');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let lost: TestDevice[];

const ago = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000);
const deviation = async (as: Actor) =>
  (await app.call('GET', '/data_manager/v1/dm/attention', { as })).json.result.deviation as unknown;

/** A history of so many days, in which so many of ten were offline. */
async function insertHistory(owner: string, main: string, days: number, offline: number): Promise<void> {
  const hours = Array.from(
    { length: days * 24 },
    (_, back) => new Date(Math.floor(Date.parse(NOW) / HOUR_MS - back - 1) * HOUR_MS),
  );
  await app.owner.query(
    `insert into online_hours select $1, $2, hour, $4, 120 from unnest($3::timestamptz[]) hour
     on conflict (owner_id, hour) do update set online = excluded.online`,
    [owner, main, hours, 120 - offline * 12],
  );
}

beforeAll(async () => {
  ({ own, sibling, user, mainPerson } = await openHome(app));
  const add = (scope: OrganizationScope, columns: Record<string, unknown>) => addDevice(app, scope, fresh(), { columns });
  const online = { presence: 'online', presence_since: ago(9_000) };
  for (let index = 0; index < 5; index++) await add(own, { ...online, carrier: 'AT&T' });
  await add(own, { presence: 'offline', presence_since: ago(5_000), carrier: 'AT&T' });
  lost = [];
  for (let index = 0; index < 4; index++)
    lost.push(
      await add(own, {
        presence: 'offline',
        presence_since: ago(10 - index),
        carrier: 'US Cellular',
        vehicle_number: `Bus ${12 - index}`,
      }),
    );
  // Never connected: no part of it.
  await add(own, {});
  await add(sibling, online);
});

describe('how a fleet differs from what is usual', () => {
  test('SAY-01 without a history it says what went offline together within the hour, and with one what is usual', async () => {
    const found = {
      offline: 5,
      devices: 10,
      since: ago(10).getTime() / 1_000,
      // Of all that are offline: one is on another carrier, and has been for days.
      shared: { kind: 'carrier', name: 'US Cellular', projectName: null, devices: 4, of: 5 },
      // By name, not by when they were lost.
      latest: [lost[3]!, lost[2]!, lost[1]!].map(({ id, serial }, index) => ({
        device: id,
        serial_number: serial,
        vehicle_number: `Bus ${9 + index}`,
        org: own.organizationId,
        projectName: 'Own',
      })),
    };
    expect(await deviation(user)).toEqual({ ...found, usual: null });
    await insertHistory(own.organizationId, own.mainAccountId, 2, 0.5);
    expect(await readDeviation(app.reader, own, new Date(NOW))).toEqual({ ...found, usual: null });
    await insertHistory(own.organizationId, own.mainAccountId, 40, 0.5);
    expect(await readDeviation(app.reader, own, new Date(NOW))).toEqual({ ...found, usual: { least: 0, most: 1 } });
  });

  test('SAY-01-partial a fleet that is as usual, one vehicle, and a start of the server are no deviation', async () => {
    const usually = async (offline: number) => {
      await insertHistory(own.organizationId, own.mainAccountId, 40, offline);
      return readDeviation(app.reader, own, new Date(NOW));
    };
    // A whole fleet that is parked at this hour.
    expect(await usually(10)).toBeNull();
    expect(await usually(4)).toBeNull();
    expect(await usually(0)).toMatchObject({ usual: { least: 0, most: 0 }, offline: 5 });
    expect(await readDeviation(app.reader, sibling, new Date(NOW))).toBeNull();
    await app.owner.query("update devices set presence = 'unknown' where id = $1", [lost[0]!.id]);
    expect(await usually(0)).toBeNull();
    await app.owner.query("update devices set presence = 'offline' where id = $1", [lost[0]!.id]);
  });

  test('SAY-01-partial a main account has the sums of its organizations', async () => {
    expect(await readDeviation(app.reader, { kind: 'main', mainAccountId: own.mainAccountId }, new Date(NOW))).toMatchObject({ offline: 5, devices: 11, usual: null, shared: { name: 'US Cellular' } }); // prettier-ignore
    await insertHistory(own.mainAccountId, own.mainAccountId, 40, 5);
    expect(await readDeviation(app.reader, { kind: 'main', mainAccountId: own.mainAccountId }, new Date(NOW))).toBeNull();
    expect(await deviation(mainPerson)).toBeNull();
    const unrelated = (await openHome(app)).main;
    expect(await readDeviation(app.reader, unrelated, new Date(NOW))).toBeNull();
  });

  test('SAY-01-partial each moment is counted once in its hour, by organization and main account, and kept for eight weeks', async () => {
    await app.owner.query('delete from online_hours; delete from online_shares');
    const since = new Date(0);
    for (const minutes of [0, 1, 2, 5, 6])
      await recordOnlineShares(app.database, new Date(Date.parse(NOW) + minutes * 60_000), since);
    const { rows } = await app.owner.query<{ hour: Date; online: string; devices: string }>(
      'select hour, online, devices from online_hours where owner_id = any ($1) order by hour, devices',
      [[own.organizationId, own.mainAccountId]],
    );
    expect(rows.map(({ hour, online, devices }) => [hour.toISOString(), Number(online), Number(devices)])).toEqual([
      ['2026-11-20T10:00:00.000Z', 5, 10],
      ['2026-11-20T10:00:00.000Z', 6, 11],
      ['2026-11-20T11:00:00.000Z', 5, 10],
      ['2026-11-20T11:00:00.000Z', 6, 11],
    ]);
    await recordOnlineShares(app.database, new Date(Date.parse(NOW) + 58 * DAY_MS), since);
    const left = await app.owner.query('select distinct hour from online_hours where owner_id = $1', [own.organizationId]);
    expect(left.rows).toHaveLength(1);
  });

  test('SAY-01-partial a group that is common is that of one organization, with its vehicles alone', async () => {
    await app.owner.query('update devices set carrier = null where id = any ($1)', [lost.map(({ id }) => id)]);
    await addDevice(app, sibling, fresh(), { columns: { presence: 'offline', presence_since: ago(3), vehicle_number: 'Bus 1' } });
    expect(await readDeviation(app.reader, { kind: 'main', mainAccountId: own.mainAccountId }, new Date(NOW))).toMatchObject({
      shared: { kind: 'group', name: 'default', projectName: 'Own', devices: 5, of: 6 },
      latest: [{ vehicle_number: 'Bus 9' }, { vehicle_number: 'Bus 10' }, { vehicle_number: 'Bus 11' }],
    });
  });
});
