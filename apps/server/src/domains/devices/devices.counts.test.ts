import { makeMac } from '@highline/usp';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newId, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { mergeDeviceCounts } from './devices.counts.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
let organizations: [OrganizationScope, OrganizationScope];
let groups: string[];

beforeAll(async () => {
  const main: MainScope = (await app.seeding.mainAccount('Home')).scope;
  organizations = [await app.seeding.organization(main, 'One'), await app.seeding.organization(main, 'Two')];
  groups = ['default+group+id'];
});

const counted = `select organization_id, main_account_id, group_key, carrier, presence, sum(devices)::int as devices from device_counts
  group by 1, 2, 3, 4, 5 having sum(devices) <> 0`;
const actual = `select organization_id, main_account_id, group_key, carrier, counted_presence(presence, presence_since, ignition, is_planned) as presence, count(*)::int as devices from devices
  where archived_at is null group by 1, 2, 3, 4, 5`;
/** Rows of one query that the other one lacks, of one snapshot. */
const different = sql<Record<string, unknown>>`
  (select * from (${sql.raw(counted)}) c except select * from (${sql.raw(actual)}) a)
  union all (select * from (${sql.raw(actual)}) a except select * from (${sql.raw(counted)}) c)`;

const differences = async () => (await different.execute(app.database.read)).rows;
const which = (from: number) => sql`right(serial, 1)::int between ${from} and ${from + 3}`;

/** What happens to devices, many at once, in one statement each. */
const changes = {
  add: (from: number) => {
    const { organizationId, mainAccountId } = organizations[from % 2]!;
    const start = Number.parseInt(newId().slice(-7), 16);
    return sql`insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, presence, carrier)
      select ${organizationId}::uuid, gen_random_uuid(), ${mainAccountId}::uuid, gen_random_uuid(), 'N' || ${start}::int + i, '', ${groups[0]},
        case i % 3 when 0 then 'online' else 'offline' end, case i % 4 when 0 then null when 1 then 'Bell' else 'Rogers' end
      from generate_series(1, 12) i on conflict do nothing`;
  },
  connect: (from: number) => sql`update devices set presence = 'online', presence_since = now() where ${which(from)}`,
  disconnect: (from: number) => sql`update devices set presence = 'offline', carrier = null where ${which(from)}`,
  carrier: (from: number) =>
    sql`update devices set carrier = ${['Bell', null, 'AT&T'][from % 3]!}, note = 'x' where ${which(from)}`,
  ignition: (from: number) => sql`update devices set ignition = ${['on', 'off', null][from % 3]!} where ${which(from)}`,
  plan: (from: number) => sql`update devices set is_planned = ${[true, null][from % 2]!} where ${which(from)}`,
  note: (from: number) => sql`update devices set note = ${String(from)} where ${which(from)}`,
  archive: (from: number) => sql`update devices set archived_at = now() where ${which(from)} and archived_at is null`,
  restore: (from: number) => sql`update devices set archived_at = null where ${which(from)}`,
  transfer: (from: number) =>
    sql`update devices set organization_id = ${organizations[from % 2]!.organizationId}::uuid where ${which(from)}`,
  purge: (from: number) => sql`delete from devices where ${which(from)} and archived_at is not null`,
} satisfies Record<string, (from: number) => ReturnType<typeof sql>>;

const change = fc.record({
  kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  from: fc.nat(7),
  fails: fc.boolean(),
});

test('NOD-05-partial counts of devices equal the devices in every snapshot, whatever is changed, undone and merged at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }),
      async (rounds) => {
        await app.database.write((tx) => changes.add(rounds.length).execute(tx));
        for (const round of rounds) {
          const writes = round.map(({ kind, from, fails }) =>
            app.database
              .write(async (tx) => {
                // One change after the other takes rows in one order: this is about counts, not about locks.
                await sql`select pg_advisory_xact_lock(7)`.execute(tx);
                await changes[kind](from).execute(tx);
                if (fails) throw new Error('undone');
              })
              .catch((error: unknown) => {
                if (!(error instanceof Error) || error.message !== 'undone') throw error;
              }),
          );
          const merges = [mergeDeviceCounts(app.database, 1), mergeDeviceCounts(app.database, 1)];
          expect((await Promise.all([differences(), ...writes, ...merges]))[0]).toEqual([]);
          expect(await differences()).toEqual([]);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('merged counts are few rows, none of them zero; few new rows wait', async () => {
  // Of the random ones before, none may be left.
  await app.database.write((tx) => changes.add(0).execute(tx));
  await app.database.write((tx) => changes.note(0).execute(tx));
  for (let round = 0; round < 4; round += 1)
    for (const kind of ['connect', 'disconnect'] as const)
      for (const from of [0, 4]) await app.database.write((tx) => changes[kind](from).execute(tx));
  await mergeDeviceCounts(app.database, 1);
  const { rows } = await app.owner.query('select devices, is_new from device_counts');
  expect(rows.every(({ devices, is_new }) => Number(devices) > 0 && !is_new)).toBe(true);
  await app.database.write((tx) => changes.connect(0).execute(tx));
  await mergeDeviceCounts(app.database);
  expect((await app.owner.query('select from device_counts where is_new')).rowCount).toBeGreaterThan(0);
  await app.owner.query('truncate devices, esim_profiles, rollout_targets, device_properties cascade');
  expect(await differences()).toEqual([]);
});

test('NOD-05-partial a jump in a list by group is placed by the kept counts, and with a filter by counting', async () => {
  const { scope: main } = await app.seeding.mainAccount('Jumps');
  const scope = await app.seeding.organization(main, 'Jumps');
  const group = await app.seeding.group(scope, 'zzz');
  const routers = ['JUMP1', 'JUMP2', 'JUMP3'].map((serial, index) => ({ serial, mac: makeMac(0x7000 + index) }));
  await app.seeding.routers(main, routers);
  await app.seeding.devices(scope, [...routers.slice(0, 2), { ...routers[2]!, group }]);
  const jump = async (query: Record<string, string>) => {
    const path = '/data_manager/v1/dm/devices';
    const response = await app.call('GET', path, {
      as: app.person(scope, 'user'),
      query: { sort: 'group', offset: 1, ...query },
    });
    return (response.json as { result: { serial_number: string }[] }).result.map(({ serial_number }) => serial_number);
  };
  expect(await jump({})).toEqual(['JUMP2', 'JUMP3']);
  // As if the first group had one device less: who counts the rows does not know it.
  await app.owner.query(
    `insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices, is_new)
     select organization_id, main_account_id, group_key, carrier, presence, -1, true from device_counts
     where organization_id = $1 and group_key <> $2 limit 1`,
    [scope.organizationId, group],
  );
  expect(await jump({})).toEqual(['JUMP3']);
  expect(await jump({ presence: 'never' })).toEqual(['JUMP2', 'JUMP3']);
});
