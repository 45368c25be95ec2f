import { groups as contract } from '@highline/contract';
import { prepareForReads, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { type Pair, type Run, type Statement } from './compare.ts';
import { seedDevices, type BigOrganization } from './devices.seed.ts';
import { options } from './options.ts';
import { whole } from './table.ts';

const GROUPS = options.short ? 200 : 2_000;
const DEVICES = options.short ? 4_000 : 100_000;
const LARGEST = DEVICES / 2;

/** With the key of the largest group, which is on the first page. */
type Grouped = BigOrganization & { readonly largest: string };

/** Group list and move dialog of an organization of 2,000 groups over real HTTP, alternating with raw SQL (issue 3). */
export function benchGroups(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_groups',
    seed: seedGroups,
    title: `Group lists, ${whole(GROUPS)} groups, one of ${whole(LARGEST)} devices`,
    rounds: 105,
    pairs: (run) => [...listPairs(run), ...memberPairs(run)],
  });
}

type Query = Readonly<Record<string, string>>;

function listPairs({ clientOf, raw, seeded: { bearer, organizationId } }: Run<Grouped>): Pair[] {
  const client = clientOf(bearer);
  const ask = (query: Query) => client.get(contract.listGroups.path, { limit: '10', ...query });
  const page = (order: keyof typeof orders, offset = 0) => raw(...pageOf(organizationId, order, offset));
  const offsetOf = (round: number) => 10 + ((round * 7919) % (GROUPS / 10 - 1)) * 10;
  const textOf = (round: number) => `Garage ${String((round * 7919) % 200).padStart(3, '0')}`;
  return [
    { name: 'first page of 10, with the largest group', ours: () => ask({}), raw: () => page('default') },
    {
      name: 'any other page of 10',
      ours: (round) => ask({ offset: String(offsetOf(round)) }),
      raw: (round) => page('default', offsetOf(round)),
    },
    { name: 'first page of 10, by firmware', ours: () => ask({ sort: 'firmware' }), raw: () => page('firmware') },
    { name: 'first page of 10, by number of devices', ours: () => ask({ sort: '-devices' }), raw: () => page('devices') },
    {
      name: 'search by name',
      ours: (round) => ask({ search: textOf(round) }),
      raw: (round) => raw(...searchOf(organizationId, textOf(round))),
    },
  ];
}

function memberPairs({ clientOf, raw, seeded: { bearer, organizationId, largest } }: Run<Grouped>): Pair[] {
  const client = clientOf(bearer);
  const path = contract.listMembers.path.replace('{group}', largest);
  const ask = (query: Query) => client.get(path, { limit: '50', ...query });
  const members = (condition: string, offset: number, ...values: readonly unknown[]) => {
    const where = `from devices d where d.organization_id = $1 and d.group_key = $2 and d.archived_at is null and ${condition}`;
    const all = [organizationId, largest, ...values];
    return raw(
      [`select ${memberColumns} ${where} order by d.serial, d.id limit 51 offset ${offset}`, all],
      [`select count(*)::int as total ${where}`, all],
    );
  };
  const offsetOf = (round: number) => ((round * 7919) % (LARGEST / 50)) * 50;
  const textOf = (round: number) => String((round * 7919) % 1000).padStart(3, '0');
  return [
    { name: 'move dialog: first 50 of the largest group', ours: () => ask({}), raw: () => members('true', 0) },
    {
      name: 'move dialog: any page of 50',
      ours: (round) => ask({ offset: String(offsetOf(round)) }),
      raw: (round) => members('true', offsetOf(round)),
    },
    {
      name: 'move dialog: search by vehicle number',
      ours: (round) => ask({ field: 'vehicle', search: textOf(round) }),
      raw: (round) => members("d.vehicle_number like '%' || $3 || '%'", 0, textOf(round)),
    },
  ];
}

const orders = {
  default: `(g.key = 'default+group+id') desc, g.name collate "C"`,
  firmware: `(select b.label from bindings b where b.organization_id = $1 and b.group_key = g.key and b.kind = 'firmware' and b.ended_at is null), g.name collate "C"`,
  devices: `(select count(*) from devices d where d.organization_id = $1 and d.group_key = g.key and d.archived_at is null) desc, g.name collate "C"`,
} as const;

const open = (binding: string) =>
  `(select count(*)::int from rollout_targets t where t.binding_id = ${binding} and t.state <> 'successful')`;

/** Columns of the list for ten groups: both bindings, all devices, and routers without a file. */
function shown(page: string): string {
  return `select p.*, f.id as firmware_id, f.label as firmware, f.schedule, f.postpone_until, c.id as config_id, c.label as config,
      (select count(*)::int from devices d where d.organization_id = $1 and d.group_key = p.key and d.archived_at is null) as devices,
      ${open('f.id')} as firmware_open, ${open('c.id')} as config_open,
      (select count(distinct t.device_id)::int from rollout_targets t where t.binding_id in (f.id, c.id) and t.state <> 'successful') as lacking
    from (${page}) p
    left join bindings f on f.organization_id = $1 and f.group_key = p.key and f.kind = 'firmware' and f.ended_at is null
    left join bindings c on c.organization_id = $1 and c.group_key = p.key and c.kind = 'config' and c.ended_at is null`;
}

const columns = 'g.key, g.name, g.description, g.version, g.created_at';
const memberColumns = 'd.id, d.serial, d.vehicle_number, d.model, d.presence, d.started_on::text, d.expires_on::text';

function pageOf(organizationId: string, order: keyof typeof orders, offset: number): Statement[] {
  return [
    [
      shown(`select ${columns} from groups g where g.organization_id = $1 order by ${orders[order]} limit 10 offset $2`),
      [organizationId, offset],
    ],
    ['select count(*)::int as total from groups where organization_id = $1', [organizationId]],
  ];
}

function searchOf(organizationId: string, text: string): Statement[] {
  const where = `g.organization_id = $1 and g.name like '%' || $2 || '%'`;
  return [
    [shown(`select ${columns} from groups g where ${where} order by ${orders.default} limit 10`), [organizationId, text]],
    [`select count(*)::int as total from groups g where ${where}`, [organizationId, text]],
  ];
}

/** 2,000 groups, one of them with half of the devices; every group has a firmware and a config file bound, a quarter is still in progress. */
async function seedGroups(database: BenchDatabase): Promise<Grouped> {
  const organization = await seedDevices(database, DEVICES);
  const { owner } = database;
  const { mainAccountId, organizationId } = organization;
  await owner.query(
    `insert into groups (organization_id, key, name, description)
     select $1, gen_random_uuid()::text, case when i = 1 then 'All buses' else 'Garage ' || lpad(i::text, 4, '0') end, 'Line ' || i % 97
     from generate_series(1, $2::int - (select count(*) from groups where organization_id = $1)) i`,
    [organizationId, GROUPS],
  );
  const { rows } = await owner.query<{ key: string }>(
    `select key from groups where organization_id = $1 and name = 'All buses'`,
    [organizationId],
  );
  const largest = rows[0]!.key;
  await owner.query(spreadDevices, [organizationId, largest, LARGEST]);
  await owner.query(insertFirmware, [mainAccountId]);
  await owner.query(
    `insert into config_files (organization_id, id, name) select $1, gen_random_uuid(), 'depot-' || i || '.cfg' from generate_series(1, 20) i`,
    [organizationId],
  );
  await owner.query(
    `insert into config_versions (organization_id, config_id, number, size, sha256, sealed)
     select organization_id, id, 1, 1, sha256('x'), 'x' from config_files where organization_id = $1`,
    [organizationId],
  );
  await owner.query(bindFirmware, [organizationId, mainAccountId]);
  await owner.query(bindConfigs, [organizationId]);
  await owner.query(insertTargets, [organizationId]);
  await prepareForReads(database, ['groups', 'bindings', 'rollout_targets']);
  return { ...organization, largest };
}

const spreadDevices = `with numbered as (select id, row_number() over (order by id) as n from devices where organization_id = $1),
    others as (select key, row_number() over (order by key) as n from groups where organization_id = $1)
  update devices d set group_key = case when numbered.n <= $3::int then $2 else others.key end
  from numbered join others on others.n = 1 + numbered.n % ${GROUPS} where d.organization_id = $1 and d.id = numbered.id`;

const insertFirmware = `insert into firmware (id, main_account_id, version, profile, file_name, size, sha256)
  select gen_random_uuid(), $1, '2.' || i, 'HL-R520 5G', 'image', 1, sha256(('image' || i)::bytea) from generate_series(1, 20) i`;

const numberedGroups = `(select key, row_number() over (order by key) as n from groups where organization_id = $1) g`;

const bindFirmware = `insert into bindings (id, organization_id, group_key, kind, firmware_id, label, schedule)
  select gen_random_uuid(), $1, g.key, 'firmware', f.id, f.version, 'immediate'
  from ${numberedGroups} join (select id, version, row_number() over (order by id) as n from firmware where main_account_id = $2) f
    on f.n = 1 + g.n % 20`;

const bindConfigs = `insert into bindings (id, organization_id, group_key, kind, config_id, config_number, label, schedule)
  select gen_random_uuid(), $1, g.key, 'config', c.id, 1, c.name, 'immediate'
  from ${numberedGroups} join (select id, name, row_number() over (order by id) as n from config_files where organization_id = $1) c
    on c.n = 1 + g.n % 20`;

const insertTargets = `insert into rollout_targets (organization_id, binding_id, device_id, router_id, state)
  select d.organization_id, b.id, d.id, d.router_id,
    case abs(hashtext(d.id::text || b.kind)) % 12 when 0 then 'waiting' when 1 then 'downloading' when 2 then 'failed' else 'successful' end
  from devices d join bindings b on b.organization_id = d.organization_id and b.group_key = d.group_key where d.organization_id = $1`;
