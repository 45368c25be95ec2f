import type { Client } from 'pg';
import { seedOrganization, type BenchDatabase, type Cluster } from './cluster.ts';

export const DEVICES = 100_000;

/** One organization with all the devices, and an admin of it. */
export interface BigOrganization {
  readonly mainAccountId: string;
  readonly organizationId: string;
  readonly adminId: string;
  /** A session of the admin, until it expires. */
  readonly bearer: string;
}

/** What the figures of one organization are measured with. */
export interface DeviceBench {
  readonly cluster: Cluster;
  readonly database: BenchDatabase;
  readonly organization: BigOrganization;
  readonly bearer: string;
  readonly count: number;
  readonly title: string;
}

/** Routers that one process holds; the other ones that are online belong to nodes that this run does not start. */
export const HELD = 20_000;

/** Routers of the process that the benchmark starts: the first ones, by serial number, that no other node holds. */
export async function heldRouters({ owner }: BenchDatabase, { organizationId }: BigOrganization): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select r.id from routers r join devices d on d.router_id = r.id
     where d.organization_id = $1 and not exists (select from nodes n where n.id = r.held_by and n.name = 'elsewhere')
     order by d.serial limit $2`,
    [organizationId, HELD],
  );
  return rows.map(({ id }) => id);
}

/** A pseudo-random number from 0 to `below`, from row and `salt`, without the pattern of `i % below`. */
const draw = (salt: string, below: number) => `(hashtext(i::text || '${salt}')::bigint & 2147483647) % ${below}`;
const pick = (salt: string, values: readonly string[]) =>
  `(array[${values.map((value) => `'${value}'`).join(',')}])[1 + ${draw(salt, values.length)}]`;

/** Insert routers and devices in two statements, with plausible reported values, and build their indexes afterwards. */
export async function seedDevices(database: BenchDatabase, count = DEVICES): Promise<BigOrganization> {
  const { owner } = database;
  const { mainAccountId, organizationId, admin } = await seedOrganization(database);
  await addGroups(owner, organizationId);
  await withoutIndexes(owner, async () => {
    const { rows } = await owner.query<{ id: string }>(otherNode);
    await owner.query(insertRouters, [mainAccountId, organizationId, count, rows[0]!.id]);
    await owner.query(holdHere, [organizationId, HELD]);
    await owner.query(insertDevices, [organizationId]);
  });
  for (const table of LOADED) await owner.query(`vacuum (analyze) ${table}`);
  return { mainAccountId, organizationId, adminId: admin.id, bearer: admin.bearer };
}

/** What the devices of a benchmark are written to. */
export const TABLES = ['devices', 'routers'];

/** Tables whose indexes are built after their rows: those of TABLES, and what a trigger of `devices` writes. */
const LOADED = [...TABLES, 'device_identifiers'];

/** Run `load` while these tables have neither indexes nor foreign keys: a million rows in minutes. */
async function withoutIndexes(owner: Client, load: () => Promise<void>): Promise<void> {
  const { rows: keys } = await owner.query<Record<'owner' | 'name' | 'definition', string>>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and (conrelid = any ($1::regclass[]) or confrelid = any ($1::regclass[]))`,
    [LOADED],
  );
  const { rows: indexes } = await owner.query<Record<'name' | 'definition', string>>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [LOADED],
  );
  for (const key of keys) await owner.query(`alter table ${key.owner} drop constraint ${key.name}`);
  for (const { name } of indexes) await owner.query(`drop index ${name}`);
  await load();
  await owner.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await owner.query(definition);
  for (const key of keys) await owner.query(`alter table ${key.owner} add constraint ${key.name} ${key.definition}`);
}

async function addGroups(owner: Client, organizationId: string): Promise<void> {
  await owner.query(
    `insert into groups (organization_id, key, name) select $1, gen_random_uuid()::text, 'Depot ' || i from generate_series(1, 40) i`,
    [organizationId],
  );
}

const reported = `jsonb_strip_nulls(jsonb_build_object(
  'model', ${pick('model', ['HL-R520 5G', 'HL-R320', 'HL-R220 LTE', 'HL-R720 5G'])}, 'hardware_version', 'A1',
  'firmware', ${pick('firmware', ['2.8.1', '2.8.0', '2.7.4', '2.6.9', '2.5.2'])},
  'config', case when ${draw('has config', 10)} > 2 then ${pick('config', ['depot.cfg', 'express.cfg', 'night.cfg', 'ambulance.cfg'])} end,
  'booted_at', now() - ${draw('boot', 2_000_000)} * interval '1 second',
  'carrier', ${pick('carrier', ['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'])}, 'technology', ${pick('technology', ['LTE', 'NR'])},
  'imei', (350000000000000 + i)::text, 'imsi', (310120000000000 + i)::text, 'iccid', '8901120' || lpad(i::text, 13, '0'),
  'mtn', '1' || lpad(i::text, 10, '5')))`;

const insertRouters = `insert into routers (id, main_account_id, serial, mac, model, endpoint_id, secret_hash, organization_id, device_id,
    presence, presence_since, reported, held_by)
  select gen_random_uuid(), $1, 'HL' || lpad((${draw('serial', 9_000_000)} * 1000 + i % 1000)::text, 10, '0') || lpad(i::text, 6, '0'),
    lpad(upper(to_hex(196608000000 + i)), 12, '0'), ${pick('model', ['HL-R520 5G', 'HL-R320', 'HL-R220 LTE', 'HL-R720 5G'])},
    'os::00B2D0-' || i, sha256(('secret ' || i)::bytea), $2, gen_random_uuid(),
    case when ${draw('presence', 100)} < 82 then 'online' else 'offline' end, now() - ${draw('since', 900_000)} * interval '1 second',
    ${reported}, case when ${draw('presence', 100)} < 82 then $4::uuid end
  from generate_series(1, $3::int) i`;

/** These routers are online, held by a process that was killed and started again. @returns its node */
export async function holdBefore({ owner }: BenchDatabase, held: readonly string[]): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into nodes (id, name, version, lease_until, ended_at) values (gen_random_uuid(), 'stopped', '', now(), now())
     returning id`,
  );
  const node = rows[0]!.id;
  await owner.query("update routers set presence = 'online', held_by = $2 where id = any ($1)", [held, node]);
  await owner.query("update devices set presence = 'online' where router_id = any ($1)", [held]);
  return node;
}

/** Another node, whose lease does not end, and which does not keep the process of this run from starting: it began later. */
const otherNode = `insert into nodes (id, name, version, started_at, lease_until)
  values (gen_random_uuid(), 'elsewhere', '', now() + interval '10 years', now() + interval '10 years') returning id`;

/** The other node holds all that are online, but for the first ones by serial number. */
const holdHere = `update routers set held_by = null where id in (
    select id from routers where organization_id = $1 and presence = 'online' order by serial limit $2)`;

const insertDevices = `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, vehicle_number, note,
    started_on, expires_on, presence, presence_since, presence_reason, model, hardware_version, firmware, config,
    booted_at, carrier, technology, imei, imsi, iccid, mtn)
  select r.organization_id, r.device_id, r.main_account_id, r.id, r.serial, r.mac,
    (select array_agg(key) from groups where organization_id = $1)[1 + ${draw('group', 41)}],
    ${pick('vehicle', ['Bus', 'Truck', 'Medic', 'Engine', 'Van'])} || ' ' || ${draw('number', 9_000)}, '',
    date '2026-01-01' + (${draw('start', 200)})::int, date '2026-10-01' + (${draw('expiry', 700)})::int,
    r.presence, r.presence_since, case r.presence when 'online' then 'connected' else 'connection-lost' end,
    r.reported ->> 'model', r.reported ->> 'hardware_version', r.reported ->> 'firmware', r.reported ->> 'config',
    (r.reported ->> 'booted_at')::timestamptz, r.reported ->> 'carrier', r.reported ->> 'technology', r.reported ->> 'imei',
    r.reported ->> 'imsi', r.reported ->> 'iccid', r.reported ->> 'mtn'
  from (select *, split_part(endpoint_id, '-', 2) as i from routers where organization_id = $1) r`;
