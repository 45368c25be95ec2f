import { randomUUID } from 'node:crypto';
import { alerts, devices as contract, groups, isWithinRights, rightOf, isGivable } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import type { BenchDatabase, Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { compareWork, measureWork, type Pair, type Run, type Spent } from './compare.ts';
import { DEVICES, seedDevices, type BigOrganization } from './devices.seed.ts';
import { percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { assessed, printTable, whole, type Figure } from './table.ts';

const count = options.devices ?? DEVICES;
const ROUNDS = 10_000;
const DECISIONS = 100;
/** Devices of which one has an alert. */
const ONE_OF = 20;
/** Calls of a kind at once, so that ticks of the processor count them. */
const IN_A_ROW = options.short ? 1 : 40;

/**
 * What a limit to groups costs (IAM-04): lists of someone who is limited to every group, and to three of them, alternating with the same calls of an
 * admin who is not limited; and how long it takes to decide whether an own role allows a call (IAM-03).
 */
export async function benchLimited(cluster: Cluster): Promise<void> {
  await decideOften();
  const pairs: Pair[] = [];
  await compareLists(cluster, {
    database: `bench_limited_${count}`,
    seed: (database) => database.seeded(() => seedWithAlerts(database)),
    title: `Limited to groups, ${whole(count)} devices in one organization`,
    rounds: 60,
    async pairs(run) {
      const { rows } = await run.database.owner.query<{ key: string; devices: number }>(
        `select g.key, count(d.id)::int as devices from groups g left join devices d on d.organization_id = g.organization_id and d.group_key = g.key
          where g.organization_id = $1 group by g.key order by g.key`,
        [run.seeded.organizationId],
      );
      const three = rows.slice(0, 3);
      const sum = three.reduce((total, { devices }) => total + devices, 0);
      pairs.push(
        ...pairsOf(run, 'every group', await limitedTo(run, rows)),
        ...pairsOf(run, `three groups, ${whole(sum)} devices`, await limitedTo(run, three)),
      );
      return pairs;
    },
    after: () => compareProcessors(cluster, pairs),
  });
}

/** What the same calls take of the processors of PostgreSQL, which other work on the machine changes least. */
async function compareProcessors(cluster: Cluster, pairs: readonly Pair[]): Promise<void> {
  const figures: Figure[] = [];
  for (const { name, ours, raw } of pairs) {
    const often = (call: Pair['ours']) => () =>
      measureWork(cluster, async () => {
        for (let round = 0; round < IN_A_ROW; round += 1) await call(round);
      });
    const spent = await compareWork(3, { ours: often(ours), raw: often(raw!) });
    const millis = ({ database }: Spent) => [(database * 1_000) / IN_A_ROW];
    figures.push({ name, unit: 'ms', ours: millis(spent.ours), raw: millis(spent.raw) });
  }
  printTable('Limited to groups, processors of PostgreSQL', figures, [
    `For a call, median of 3 × ${IN_A_ROW} in a row. Ceiling: the same call without a limit.`,
  ]);
}

/** Devices, and alerts of some: one in ten of these is over, and a hundred fired together. */
async function seedWithAlerts(database: BenchDatabase): Promise<BigOrganization> {
  const seeded = await seedDevices(database, count);
  await database.owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number, group_key,
       carrier, state, since, fired_at, resolved_at, storm_id)
     select d.organization_id, gen_random_uuid(), d.main_account_id, $2::uuid, 'Weak signal', 'warning', 'reading', d.id, d.serial, d.vehicle_number,
       d.group_key, d.carrier, case when n % 10 = 0 then 'resolved' else 'firing' end, now() - n * interval '1 minute',
       now() - n * interval '1 minute', case when n % 10 = 0 then now() end, case when n <= 100 then $2::uuid end
     from (select *, row_number() over (order by hashtext(id::text)) as n from devices where organization_id = $1) d where n <= $3`,
    [seeded.organizationId, randomUUID(), Math.ceil(count / ONE_OF)],
  );
  await database.owner.query('vacuum (analyze) alerts');
  return seeded;
}

/** The session of a new admin who is limited to groups. */
async function limitedTo(
  { database, seeded }: Run<BigOrganization>,
  chosen: readonly { readonly key: string }[],
): Promise<string> {
  const { mainAccountId, organizationId } = seeded;
  const scope = { kind: 'organization' as const, mainAccountId, organizationId };
  const id = await database.seeding.account(scope, `limited-${chosen.length}-${Date.now()}@bench.example`, 'admin');
  const { owner } = database;
  await owner.query(`insert into account_limits (account_id, organization_id, tags, updated_at) values ($1, $2, '{}', now())`, [
    id,
    organizationId,
  ]);
  await owner.query(
    'insert into account_limit_groups (account_id, organization_id, group_key) select $1, $2, unnest($3::text[])',
    [id, organizationId, chosen.map(({ key }) => key)],
  );
  return database.seeding.bearer(id);
}

function pairsOf({ clientOf, seeded }: Run<BigOrganization>, who: string, bearer: string): Pair[] {
  const [limited, free] = [clientOf(bearer), clientOf(seeded.bearer)];
  const calls: readonly (readonly [name: string, path: string, query: (round: number) => Record<string, string>])[] = [
    ['first page', contract.listDevices.path, () => ({ limit: '50' })],
    ['a page in the middle', contract.listDevices.path, (round) => ({ limit: '50', offset: String(50 * (1 + (round % 100))) })],
    ['by vehicle', contract.listDevices.path, () => ({ limit: '50', sort: 'vehicle' })],
    ['by carrier', contract.listDevices.path, () => ({ limit: '50', sort: 'carrier' })],
    [
      'search of a serial number',
      contract.listDevices.path,
      (round) => ({ limit: '50', field: 'serial', search: String(1_000 + round) }),
    ],
    ['what is offline', contract.listDevices.path, () => ({ limit: '50', presence: 'offline' })],
    ['overview', contract.statistics.path, () => ({})],
    ['groups', groups.listGroups.path, () => ({ limit: '50' })],
    ['alerts', alerts.listAlerts.path, () => ({ limit: '50' })],
    ['the inbox', alerts.listAlerts.path, () => ({ limit: '50', state: 'open', grouped: 'true', sort: '-severity' })],
  ];
  return calls.map(([name, path, query]) => ({
    name: `${who}: ${name}`,
    aim: { text: '≤ 1.1 × without a limit', isMet: ({ ours, raw }) => percentile(ours, 0.5) <= 1.1 * percentile(raw, 0.5) },
    ours: (round) => limited.get(path, query(round)),
    raw: (round) => free.get(path, query(round)),
  }));
}

/** Every call of the contract, decided for a role with every right. */
async function decideOften(): Promise<void> {
  const rights = [...new Set(allOperations.filter((call) => isGivable(call)).map((call) => rightOf(call)))];
  const samples: number[] = [];
  let allowed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const call = allOperations[round % allOperations.length]!;
    const took = await timed(async () => {
      for (let decision = 0; decision < DECISIONS; decision += 1) if (isWithinRights(rights, call)) allowed += 1;
    });
    samples.push((took * 1_000) / DECISIONS);
  }
  printTable(
    'Permission by an own role',
    [
      {
        name: 'one decision, p50 / p99',
        unit: 'µs',
        ours: [percentile(samples, 0.5), percentile(samples, 0.99)],
        aim: assessed('p99 ≤ 5 µs', percentile(samples, 0.99) <= 5),
      },
    ],
    [`A role with ${rights.length} rights, each of ${allOperations.length} calls in turn; ${whole(allowed)} were allowed.`],
  );
}
