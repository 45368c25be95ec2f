import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { networks } from '@highline/contract';
import { newId } from '../../../kernel/index.ts';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../../testing/home.ts';
import { useTestApp } from '../../../testing/test-app.ts';
import { storeCounters } from './client-use.ts';
import { deleteOldClients } from './old-clients.job.ts';

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const HOUR = 3_600_000;
const app = useTestApp(NOW);
const fresh = routersNamed('CD');

let home: Home;
let bus: TestDevice;

beforeAll(async () => {
  home = await openHome(app);
});
beforeEach(async () => {
  bus = await addDevice(app, home.own, fresh());
  app.clock.set(NOW);
  await save('use', 30);
});

const save = async (keep: networks.ClientSettings['keep'], days: number) => {
  const body = { org: home.own.organizationId, keep, days };
  expect((await app.call('PUT', `${DM}/clients/settings`, { as: home.admin, body })).status).toBe(200);
};
const use = async (day?: string): Promise<networks.ClientUseAnswer> => {
  const query = { device: bus.id, ...(day !== undefined && { day }) };
  return (await app.call('GET', `${DM}/device/networks/use`, { as: home.admin, query })).json.result;
};
/** [name, bytes] of each client on a day; those of today where it is left out. */
const clientsOn = async (day?: string) => (await use(day)).clients.map(({ name, sent }) => [name, sent]);
const daysOf = async () => (await use()).days.map(({ day, clients, sent }) => [day, clients, sent]);
const report = (routerId: string, hours: number, counters: Record<string, number>) =>
  storeCounters(app, [
    {
      routerId,
      at: Date.parse(NOW) + hours * HOUR,
      counters: Object.entries(counters).map(([name, sent]) => ({
        mac: `5A11223344${name.length.toString().padStart(2, '0')}`,
        name,
        source: 'host' as const,
        sent,
        received: 0,
      })),
    },
  ]);
const purge = () => deleteOldClients(app.database, app.clock.now());
const after = (hours: number) => app.clock.set(new Date(Date.parse(NOW) + hours * HOUR).toISOString());

test('LIV-02-partial the last day before a vehicle stands for days stays in the page and in the file', async () => {
  await report(bus.routerId, 0, { phone: 0 });
  await report(bus.routerId, 1, { phone: 4_000 });
  after(47);
  await purge();
  expect(await daysOf()).toEqual([['2026-11-20', 1, 4_000]]);
  after(50);
  await purge();
  await purge();
  expect([await daysOf(), await clientsOn('2026-11-20')]).toEqual([[['2026-11-20', 1, 4_000]], [['phone', 4_000]]]);
  const file = await app.call('GET', `${DM}/device/networks/use/export`, { as: home.admin, query: { device: bus.id } });
  expect(file.text).toContain('2026-11-20,phone,');
  // It begins again on Monday, and on Friday evening nothing is left of the days before the last seven.
  await report(bus.routerId, 72, { phone: 9_000 });
  await report(bus.routerId, 73, { phone: 9_500 });
  after(73);
  expect(await daysOf()).toEqual([
    ['2026-11-23', 1, 500],
    ['2026-11-20', 1, 4_000],
  ]);
  await save('use', 7);
  after(9 * 24);
  await purge();
  expect(await daysOf()).toEqual([['2026-11-23', 1, 500]]);
});

test('LIV-02-partial BLK-06-partial what clients used on the day on which the router is replaced is shown with what they use from then on', async () => {
  await report(bus.routerId, 0, { phone: 0, tablet: 0 });
  await report(bus.routerId, 1, { phone: 4_000, tablet: 7 });
  after(2);
  const next = fresh();
  const [stored] = await app.seeding.routers(home.main, [next]);
  const body = { device: bus.id, serial_number: next.serial, mac: next.mac };
  expect((await app.call('POST', `${DM}/device/router`, { as: home.admin, body })).status).toBe(200);
  const both = [
    ['phone', 4_000],
    ['tablet', 7],
  ];
  expect([await clientsOn(), await daysOf()]).toEqual([both, [['2026-11-20', 2, 4_007]]]);
  await purge();
  await report(stored!.id, 2, { phone: 0 });
  await report(stored!.id, 3, { phone: 300, TV: 0 });
  await report(stored!.id, 4, { phone: 300, TV: 5 });
  const all = [
    ['phone', 4_300],
    ['tablet', 7],
    ['TV', 5],
  ];
  expect([await clientsOn(), await daysOf()]).toEqual([all, [['2026-11-20', 3, 4_312]]]);
  // The day that is over has the parts of both routers.
  await report(stored!.id, 24, { phone: 300, TV: 5 });
  after(24);
  expect([await clientsOn('2026-11-20'), await daysOf()]).toEqual([all, [['2026-11-20', 3, 4_312]]]);
});

test('LIV-02-partial a router that another device has at once leaves what its clients used with the former one', async () => {
  await report(bus.routerId, 0, { phone: 0 });
  await report(bus.routerId, 1, { phone: 4_000 });
  after(2);
  const former = bus;
  await app.owner.query('update devices set archived_at = $2 where id = $1', [former.id, app.clock.now()]);
  bus = await addDevice(app, home.own, fresh());
  await app.owner.query('update devices set router_id = $2 where id = $1', [bus.id, former.routerId]);
  await report(former.routerId, 2, { phone: 5_000 });
  await report(former.routerId, 3, { phone: 5_001 });
  expect(await daysOf()).toEqual([['2026-11-20', 1, 1]]);
  await app.owner.query('update devices set router_id = gen_random_uuid() where id = $1', [bus.id]);
  await app.owner.query('update devices set archived_at = null where id = $1', [former.id]);
  bus = former;
  expect(await daysOf()).toEqual([['2026-11-20', 1, 4_000]]);
});

test('LIV-02-partial of an organization that keeps no use any more the day that ran is not stored', async () => {
  await report(bus.routerId, 0, { phone: 0 });
  await report(bus.routerId, 1, { phone: 4_000 });
  await app.owner.query("update client_settings set keep = 'list'");
  await purge();
  await app.owner.query("update client_settings set keep = 'use'");
  expect([await daysOf(), await clientsOn()]).toEqual([[], []]);
});

test('LIV-02-partial fewer days than before: what is older is deleted when it is saved, days and lists alike, and no day before is answered', async () => {
  await save('use', 90);
  await report(bus.routerId, 0, { phone: 0 });
  await report(bus.routerId, 1, { phone: 4_000 });
  await report(bus.routerId, 24, { phone: 4_000 });
  await app.owner.query(
    `insert into router_tables (router_id, name, read_at, content) values ($1, 'clients', $2, '{"clients": [], "total": 3}')`,
    [bus.routerId, app.clock.now()],
  );
  await app.owner.query("update router_ownership set owned_from = '2026-11-01' where router_id = $1", [bus.routerId]);
  const listed = async () => {
    const query = { device: bus.id, part: 'clients' };
    return (await app.call('GET', `${DM}/device/networks`, { as: home.admin, query })).json.result.total;
  };
  after(20 * 24);
  expect([await clientsOn('2026-11-20'), await listed()]).toEqual([[['phone', 4_000]], 3]);
  await save('use', 30);
  expect([await clientsOn('2026-11-20'), await listed()]).toEqual([[['phone', 4_000]], 3]);
  // Days that the hourly job has not deleted yet.
  await app.owner.query('update client_settings set days = 7');
  expect(await clientsOn('2026-11-20')).toEqual([]);
  await app.owner.query('update client_settings set days = 30');
  expect(await clientsOn('2026-11-20')).toEqual([['phone', 4_000]]);
  await save('use', 7);
  await save('use', 30);
  expect([await clientsOn('2026-11-20'), await listed()]).toEqual([[], 0]);
});

test('LIV-02-partial what is no longer kept is deleted some rows at a time, and an organization where that fails keeps no other from it', async () => {
  const other = await addDevice(app, home.sibling, fresh());
  const { owner } = app;
  await owner.query(`create table deleted_rows (part text, batch xid8 default pg_current_xact_id());
    create function note_deleted() returns trigger language plpgsql security definer set search_path from current as $$ begin
      if tg_argv[0] = 'fails' then raise 'no space'; end if;
      insert into deleted_rows (part) values (tg_argv[0]);
      return old;
    end $$;
    create trigger fails before delete on client_days for each row when (old.organization_id = '${home.sibling.organizationId}')
      execute function note_deleted('fails');
    create trigger note_days before delete on client_days for each row when (old.day < '2026-10-01') execute function note_deleted('days');
    create trigger note_gone before delete on client_days for each row when (old.day > '2026-10-01') execute function note_deleted('gone');
    create trigger note_lists before delete on router_tables for each row execute function note_deleted('lists')`);
  const days = (org: string, devices: readonly string[], first: string, last: string) =>
    owner.query(
      `insert into client_days (organization_id, device_id, day, clients, sent, received, content)
        select $1, device, day, 1, 1, 1, '' from unnest($2::uuid[]) device, generate_series($3::date, $4::date, '1 day') day`,
      [org, devices, first, last],
    );
  await days(home.own.organizationId, [bus.id], '2026-09-01', '2026-09-05');
  await days(home.own.organizationId, [bus.id], '2026-11-18', '2026-11-18');
  await days(home.sibling.organizationId, [other.id], '2026-09-01', '2026-09-01');
  const gone = Array.from({ length: 5 }, () => newId());
  await days(home.own.organizationId, gone, '2026-11-18', '2026-11-18');
  for (let index = 0; index < 5; index++)
    await owner.query(
      `insert into router_tables (router_id, name, read_at, content) values ($1, 'clients', '2026-09-01', '{}')`,
      [(await addDevice(app, home.own, fresh())).routerId],
    );
  const run = () => deleteOldClients(app.database, app.clock.now(), { rows: 2, devices: 2 });
  await expect(run()).rejects.toThrow(`Organization ${home.sibling.organizationId} failed.`);
  const left = async () =>
    (
      await owner.query<{ id: string }>('select device_id as id from client_days where device_id = any ($1)', [
        [bus.id, other.id, ...gone],
      ])
    ).rows;
  expect((await left()).map(({ id }) => id).toSorted()).toEqual([bus.id, other.id].toSorted());
  const batches = await owner.query(
    `select part, sum(n)::int as rows, max(n)::int as most from (select part, batch, count(*) as n from deleted_rows group by 1, 2) b
      group by 1 order by 1`,
  );
  expect(batches.rows).toEqual([
    { part: 'days', rows: 5, most: 2 },
    { part: 'gone', rows: 5, most: 2 },
    { part: 'lists', rows: 5, most: 2 },
  ]);
  await owner.query('drop trigger fails on client_days');
  await run();
  expect((await left()).map(({ id }) => id)).toEqual([bus.id]);
});
