import type { Client } from 'pg';
import { seedOrganization, type BenchDatabase } from './cluster.ts';

export const DEVICES = 100_000;

/** One organization with all the devices, and a user with access. */
export interface BigOrganization {
  readonly mainAccountId: string;
  readonly organizationId: string;
  readonly bearer: string;
}

/** A pseudo-random number from 0 to `below`, from row and `salt`, without the pattern of `i % below`. */
const draw = (salt: string, below: number) => `(hashtext(i::text || '${salt}')::bigint & 2147483647) % ${below}`;
const pick = (salt: string, values: readonly string[]) =>
  `(array[${values.map((value) => `'${value}'`).join(',')}])[1 + ${draw(salt, values.length)}]`;

/** Insert routers and devices in two statements, with plausible reported values. */
export async function seedDevices(database: BenchDatabase, count = DEVICES): Promise<BigOrganization> {
  const { owner } = database;
  const { mainAccountId, organizationId, admin } = await seedOrganization(database);
  await addGroups(owner, organizationId);
  await owner.query(insertRouters, [mainAccountId, organizationId, count]);
  await owner.query(insertDevices, [organizationId]);
  for (const table of ['devices', 'routers']) await owner.query(`vacuum (analyze) ${table}`);
  return { mainAccountId, organizationId, bearer: admin.bearer };
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
    presence, presence_since, reported)
  select gen_random_uuid(), $1, 'HL' || lpad((${draw('serial', 9_000_000)} * 1000 + i % 1000)::text, 10, '0') || lpad(i::text, 6, '0'),
    lpad(upper(to_hex(196608000000 + i)), 12, '0'), ${pick('model', ['HL-R520 5G', 'HL-R320', 'HL-R220 LTE', 'HL-R720 5G'])},
    'os::00B2D0-' || i, sha256(('secret ' || i)::bytea), $2, gen_random_uuid(),
    case when ${draw('presence', 100)} < 82 then 'online' else 'offline' end, now() - ${draw('since', 900_000)} * interval '1 second',
    ${reported}
  from generate_series(1, $3::int) i`;

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
