import { prepareForReads, type BenchDatabase } from './cluster.ts';
import { seedDevices, type BigOrganization } from './devices.seed.ts';

export const GROUPS = 2_000;
export const LARGEST = 50_000;
const DEVICES = 100_000;

export interface GroupedOrganization extends BigOrganization {
  /** Key of the group of 50,000; it is on the first page. */
  readonly largest: string;
}

/**
 * 2,000 groups, one of them with half of the devices; every group has a firmware and a config file bound, a quarter is still in
 * progress.
 */
export async function seedGroups(database: BenchDatabase): Promise<GroupedOrganization> {
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
