import { devices, type devices as dto } from '@highline/contract';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { MainScope, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { collect, useTestApp } from '../../testing/test-app.ts';
import { workWithin } from '../../platform/calls/call-steps.ts';
import { createKeySamples, type KeySamples } from '../../platform/listing/index.ts';
import { deviceList } from './devices.queries.ts';

const TODAY = '2026-11-20';
const app = useTestApp(`${TODAY}T12:00:00Z`);
let main: MainScope;
let own: OrganizationScope;
let groupKeys: string[];

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  // Two organizations of one name: their rows must still have one stable order.
  own = await app.seeding.organization(main, 'Twin');
  const sibling = await app.seeding.organization(main, 'Twin');
  const third = await app.seeding.organization(main, 'Other');
  const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
  const foreign = await app.seeding.organization(foreignUser, 'Twin');
  organizations = [own, sibling, third, foreign];
  groupKeys = ['default+group+id'];
  for (const name of ['Beta', 'alpha', 'Ωmega', 'empty']) groupKeys.push(await app.seeding.group(own, name));
});

let organizations: OrganizationScope[];

interface RandomDevice {
  readonly organization: number;
  readonly group: number;
  readonly vehicle: string;
  readonly reported: string | null;
  readonly config: string | null;
  readonly presence: string;
  readonly booted: number | null;
  readonly dates: readonly [number, number] | null;
}

const few = fc.constantFrom('', 'a', 'A', 'b', '=1+1', '王', '🚌', '\u202eb');
const randomDevice: fc.Arbitrary<RandomDevice> = fc.record({
  organization: fc.constantFrom(0, 0, 0, 1, 2, 3),
  group: fc.nat(3),
  vehicle: few,
  reported: fc.option(few),
  config: fc.option(few, { freq: 1 }),
  presence: fc.constantFrom('online', 'offline', 'unknown'),
  // Microseconds apart, so that a cursor that lost them would skip or repeat rows.
  booted: fc.option(fc.nat(5)),
  dates: fc.option(fc.tuple(fc.integer({ min: -80, max: 20 }), fc.integer({ min: -40, max: 80 }))),
});

async function fill(rows: readonly RandomDevice[]): Promise<void> {
  // With what refers to them. A truncation would make new files for every index of all these tables, for forty rows.
  await app.owner.query('delete from devices');
  const columns = rows.map((row, index) => {
    const { organizationId, mainAccountId } = organizations[row.organization]!;
    return {
      organization_id: organizationId,
      main_account_id: mainAccountId,
      id: newId(),
      router_id: newId(),
      serial: `SN${String((index * 7) % 1_000).padStart(4, '0')}`,
      mac: '00B2D0000000',
      group_key: row.organization === 0 ? groupKeys[row.group] : groupKeys[0],
      vehicle_number: row.vehicle,
      model: row.reported,
      firmware: row.reported,
      carrier: row.reported,
      config: row.config,
      health: row.reported === null ? null : row.booted,
      presence: row.presence,
      booted_at: row.booted === null ? null : `2026-11-01T00:00:00.00000${row.booted}Z`,
      started_on: row.dates === null ? null : dayFrom(row.dates[0]),
      expires_on: row.dates === null ? null : dayFrom(row.dates[1]),
    };
  });
  await app.owner.query(
    `insert into devices (organization_id, main_account_id, id, router_id, serial, mac, group_key, vehicle_number, model, firmware,
        carrier, config, health, presence, booted_at, started_on, expires_on)
      select organization_id, main_account_id, id, router_id, serial, mac, group_key, vehicle_number, model, firmware, carrier,
        config, health, presence, booted_at, started_on, expires_on
      from jsonb_populate_recordset(null::devices, $1)`,
    [JSON.stringify(columns)],
  );
  await app.owner.query(
    `insert into device_diagnoses (organization_id, main_account_id, device_id, kind, number, is_first, since, computed_at, evidence)
      select d.organization_id, d.main_account_id, d.id, 'clock', 10 + d.health, true, now(), now(), '{}' from devices d where d.health > 1`,
  );
}

const dayFrom = (offset: number) => new Date(Date.UTC(2026, 10, 20 + offset)).toISOString().slice(0, 10);

const uptime = "case when d.presence = 'online' then d.booted_at end";
const rank = `case when d.expires_on is null then 4 when d.expires_on < '${TODAY}' then 3 when d.started_on > '${TODAY}' then 2
  when d.expires_on < '${dayFrom(30)}' then 1 else 0 end`;
const found =
  '(select x.number from device_diagnoses x where x.organization_id = d.organization_id and x.device_id = d.id and x.is_first)';
/** The meaning of each sort, defined independently: plain ORDER BY, unset values last. `$` is the direction, `!` the other. */
const plainOrders: Record<dto.DeviceSort, string> = {
  serial: 'd.serial $, d.id $',
  vehicle: 'd.vehicle_number collate natural_order $, d.serial $, d.id $',
  model: 'd.model $ nulls last, d.serial $, d.id $',
  uptime: `${uptime} ! nulls last, d.id !`,
  group: 'g.name collate natural_order $, d.serial $, d.id $',
  firmware: 'd.firmware $ nulls last, d.serial $, d.id $',
  config: 'd.config $ nulls last, d.serial $, d.id $',
  carrier: 'd.carrier $ nulls last, d.presence $, d.serial $, d.id $',
  presence: 'd.presence $, d.serial $, d.id $',
  service: `${rank} $, d.expires_on !, d.serial !, d.id !`,
  expires: 'd.expires_on $ nulls last, d.serial $, d.id $',
  health: 'd.health $ nulls last, d.serial $, d.id $',
  diagnosis: `${found} $ nulls last, case when ${found} is null then d.serial end $, d.id $`,
  organization: 'o.name collate natural_order $, o.id $, d.serial $, d.id $',
};

/** @param groups only the devices of these */
async function plainly(scope: Scope, sort: dto.DeviceSort, descending: boolean, groups?: readonly string[]): Promise<string[]> {
  const order = plainOrders[sort].replaceAll('$', descending ? 'desc' : 'asc').replaceAll('!', descending ? 'asc' : 'desc');
  const whose = scope.kind === 'main' ? ['main_account_id', scope.mainAccountId] : ['organization_id', scope.organizationId];
  const { rows } = await app.owner.query<{ id: string }>(
    `select d.id from devices d join groups g on g.organization_id = d.organization_id and g.key = d.group_key
      join organizations o on o.id = d.organization_id where d.${whose[0]} = $1 and ($2::text[] is null or d.group_key = any ($2)) order by ${order}`,
    [whose[1], groups],
  );
  return rows.map(({ id }) => id);
}

const context = () => ({ now: app.clock.now(), expiringDays: app.expiringDays });

const list = () => deviceList(context(), (row) => row, 'online');

function page(scope: Scope, query: Partial<dto.DeviceListQuery>, limit: number) {
  return list().page(app, scope, query, limit);
}

/** Every jump begins at a sampled row, which every third row is. */
function readAtOnce(): KeySamples {
  const keySamples = createKeySamples({ clock: app.clock, onChanged: () => {} }, { from: 0, distance: 3 });
  return { ...keySamples, find: keySamples.wait };
}

const idsOf = ({ rows }: Awaited<ReturnType<typeof page>>) => rows.map(({ id }) => id);

/** Walk all pages to the end and back again. */
async function walk(scope: Scope, query: Partial<dto.DeviceListQuery>, limit: number) {
  const forward: string[][] = [];
  const backward: string[][] = [];
  let current = await page(scope, query, limit);
  forward.push(idsOf(current));
  while (current.next !== null) {
    current = await page(scope, { ...query, cursor: current.next }, limit);
    expect(current.offset).toBe(forward.flat().length);
    expect(forward.length).toBeLessThan(100);
    forward.push(idsOf(current));
  }
  backward.unshift(idsOf(current));
  while (current.previous !== null) {
    current = await page(scope, { ...query, cursor: current.previous }, limit);
    backward.unshift(idsOf(current));
  }
  expect(current.offset).toBe(0);
  return { forward, backward };
}

async function checkSort(
  scope: Scope,
  column: dto.DeviceSort,
  descending: boolean,
  limit: number,
  groups?: readonly string[],
): Promise<void> {
  const sort = descending ? (`-${column}` as const) : column;
  const expected = await plainly(scope, column, descending, groups);
  const { forward, backward } = await walk(scope, { sort }, limit);
  expect(forward.flat()).toEqual(expected);
  expect(backward).toEqual(forward);
  for (const start of [0, limit, expected.length - 1, expected.length + 5]) {
    const jumped = await page(scope, { sort, offset: Math.max(0, start) }, limit);
    expect(idsOf(jumped)).toEqual(expected.slice(Math.max(0, start), Math.max(0, start) + limit));
    expect(jumped.total).toBe(expected.length);
  }
  const keySamples = readAtOnce();
  for (const start of [1, limit, Math.floor(expected.length / 2), expected.length - 1, expected.length + 5]) {
    const offset = Math.max(0, start);
    const jumped = await list().page({ ...app, keySamples }, scope, { sort, offset }, limit);
    expect(idsOf(jumped), `from a sampled row, ${offset}`).toEqual(expected.slice(offset, offset + limit));
    if (jumped.next === null) continue;
    expect(idsOf(await page(scope, { sort, cursor: jumped.next }, limit))).toEqual(
      expected.slice(offset + limit, offset + 2 * limit),
    );
  }
  const around = expected[Math.floor(expected.length * 0.7)];
  if (around === undefined) return;
  const found = await page(scope, { sort, around }, limit);
  const begins = Math.floor(expected.indexOf(around) / limit) * limit;
  expect([found.offset, ...idsOf(found)]).toEqual([begins, ...expected.slice(begins, begins + limit)]);
  const bySample = await list().page({ ...app, keySamples }, scope, { sort, around }, limit);
  expect([bySample.offset, ...idsOf(bySample)]).toEqual([begins, ...expected.slice(begins, begins + limit)]);
  const streamed = await collect(list().rows(app.streams, scope, { sort }));
  expect(streamed.map(({ id }) => id)).toEqual(expected);
}

test.each(devices.deviceSorts.flatMap((column) => [[column, false] as const, [column, true] as const]))(
  'DEV-01-partial pages, jumps and the whole list sorted by %s (descending: %s) are one plain order, unset values last',
  async (column, descending) => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomDevice, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), async (rows, limit) => {
        await fill(rows);
        expect((await page(main, {}, limit)).total).toBe(rows.filter(({ organization }) => organization < 3).length);
        await checkSort(own, column, descending, limit);
        await checkSort(main, column, descending, limit);
      }),
      // Of each of 28 orders: a page is several statements, and other fleets are tried in each run.
      { numRuns: 3 },
    );
  },
);

// Merged from a few groups, along the order for many, and with other tables; without a group nothing is seen.
test.each([
  ['serial', false, 2],
  ['serial', true, 3],
  ['serial', false, 0],
  ['serial', false, 12],
  ['vehicle', true, 2],
  ['carrier', false, 2],
  ['group', false, 2],
  ['diagnosis', false, 2],
] as const)(
  'IAM-04-partial sorted by %s (descending: %s), a limit to %i groups leaves the pages and jumps of their devices',
  async (column, descending, count) => {
    const groups = [...groupKeys, ...Array.from({ length: 9 }, (_, at) => `gone-${at}`)].slice(0, count);
    expect(groups).toHaveLength(count);
    const { organizationId } = own;
    const limitedTo = { accountId: newId(), organizationId, groups, tags: [] };
    await fc.assert(
      fc.asyncProperty(fc.array(randomDevice, { minLength: 15, maxLength: 40 }), async (rows) => {
        await fill(rows);
        await workWithin(limitedTo, () => checkSort(own, column, descending, 4, groups));
      }),
      { numRuns: 2 },
    );
  },
);

test('DEV-01-partial filters apply to every page, jump and total alike', async () => {
  const service = fc.constantFrom(undefined, 'subscribed', 'expiring', 'not-subscribed');
  const filters = fc.record({
    service,
    presence: fc.constantFrom(undefined, 'online', 'offline'),
    search: fc.constantFrom(undefined, 'a', 'SN0', 'b'),
    field: fc.constantFrom('serial', 'vehicle', 'config', 'group', 'organization'),
    sort: fc.constantFrom('serial', '-model', 'group', '-service', 'organization'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(randomDevice, { minLength: 10, maxLength: 40 }), filters, async (rows, query) => {
      await fill(rows);
      for (const scope of [own, main]) {
        const all = await collect(list().rows(app.streams, scope, query));
        const { forward, backward } = await walk(scope, query, 4);
        expect(forward.flat()).toEqual(all.map(({ id }) => id));
        expect(backward).toEqual(forward);
        const jumped = await page(scope, { ...query, offset: 3 }, 4);
        expect(idsOf(jumped)).toEqual(all.slice(3, 7).map(({ id }) => id));
        const bySample = await list().page({ ...app, keySamples: readAtOnce() }, scope, { ...query, offset: 5 }, 4);
        expect(idsOf(bySample)).toEqual(all.slice(5, 9).map(({ id }) => id));
        const { total, online } = (await page(scope, query, 4)) as { total: number; online?: number };
        expect([total, online]).toEqual([all.length, all.filter((row) => row.presence === 'online').length]);
      }
    }),
    { numRuns: 20 },
  );
});

test('DEV-01-partial a cursor opens no page of another organization, another sort or another filter', async () => {
  await fill(
    Array.from({ length: 12 }, (_, index) => ({
      organization: index % 2,
      group: 0,
      vehicle: 'a',
      reported: null,
      config: null,
      presence: 'online',
      booted: null,
      dates: null,
    })),
  );
  const { next } = await page(own, {}, 3);
  expect(idsOf(await page(own, { cursor: next! }, 3))).toHaveLength(3);
  await expect(page(organizations[1]!, { cursor: next! }, 3)).rejects.toMatchObject({ key: 'request.invalid' });
  await expect(page(main, { cursor: next! }, 3)).rejects.toMatchObject({ key: 'request.invalid' });
  await expect(page(own, { cursor: next!, sort: 'vehicle' }, 3)).rejects.toMatchObject({ key: 'request.invalid' });
  await expect(page(own, { cursor: next!, presence: 'offline' }, 3)).rejects.toMatchObject({ key: 'request.invalid' });
});

test('DEV-01-partial when rows are deleted while a user pages, the adjacent rows stay in place', async () => {
  await fill(
    Array.from({ length: 9 }, () => ({
      organization: 0,
      group: 0,
      vehicle: 'a',
      reported: null,
      config: null,
      presence: 'online',
      booted: null,
      dates: null,
    })),
  );
  const all = await plainly(own, 'serial', false);
  const first = await page(own, {}, 3);
  await app.owner.query('delete from devices where id = any($1::uuid[])', [[all[2], all[3]]]);
  const second = await page(own, { cursor: first.next! }, 3);
  expect(idsOf(second)).toEqual(all.slice(4, 7));
  expect(idsOf(await page(own, { cursor: second.previous! }, 3))).toEqual([all[0], all[1], all[4]]);
});
