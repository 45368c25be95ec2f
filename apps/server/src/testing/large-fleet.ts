import type { Client } from 'pg';
import type { Tenant } from './tenants.ts';

/** Devices of the organization that `fillTenant` fills: ten times what a page may read shows whether a statement reads a page or the fleet. */
export const DEVICES = 10_000;
/** Entries of other tables: enough that an index is worth it. */
export const ENTRIES = 4_000;
/** People of the organization, groups, organizations and files are fewer: lists of them may be read and sorted as a whole. */
const PEOPLE = 2_500;
const GROUPS = 2_000;

/** The same id for the same row of different tables. */
const id = (kind: string) => `md5('${kind}' || i)::uuid`;
const pick = (values: readonly string[]) =>
  `(array[${values.map((value) => `'${value}'`).join(',')}])[1 + i * 7919 % ${values.length}]`;
const ago = (seconds: string) => `now() - (${seconds}) * interval '1 second'`;
const digits = (width: number) => `lpad(i::text, ${width}, '0')`;

const router = { router_id: id('router') };
const device = { device_id: id('device'), serial: `'HL' || ${digits(8)}`, ...router };
const reported = {
  model: pick(['HL-R520', 'HL-R320', 'HL-R220']),
  firmware: pick(['2.8.1', '2.8.0', '2.7.4', '2.6.9']),
  config: pick(['depot.cfg', 'night.cfg', 'express.cfg', 'school.cfg', 'ambulance.cfg']),
  carrier: pick(['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers']),
  presence: `case when i % 6 = 0 then 'offline' else 'online' end`,
  presence_since: ago('i * 7919 % 900000'),
};

interface Copies {
  readonly table: string;
  readonly count: number;
  /** What differs from the tenant's own row: SQL of the row number i. */
  readonly columns: Readonly<Record<string, string>>;
  /** Chooses the tenant's own row, of $1, the organization, and $2, its main account. */
  readonly where: string;
}

const ofOrganization = 'organization_id = $1';
const ofMain = 'main_account_id = $2 and organization_id is null';

/** The other tables, as a customer of that size fills them. */
const copies: readonly Copies[] = [
  {
    table: 'organizations',
    count: GROUPS,
    where: 'id = $1',
    columns: { id: id('organization'), name: `'Transit ' || ${digits(4)}` },
  },
  {
    table: 'groups',
    count: GROUPS,
    where: `${ofOrganization} and key <> 'default+group+id'`,
    columns: { key: `'group' || i`, name: `'Garage ' || ${digits(4)}` },
  },
  {
    table: 'accounts',
    count: PEOPLE,
    where: ofOrganization,
    columns: { id: id('account'), email: `'person-' || i || '@fleet.invalid'`, name: `'Person ' || ${digits(5)}` },
  },
  {
    table: 'routers',
    count: DEVICES,
    where: `${ofOrganization} and device_id is not null`,
    columns: {
      id: id('router'),
      device_id: id('device'),
      serial: device.serial,
      mac: `lpad(upper(to_hex(196608000000 + i)), 12, '0')`,
      endpoint_id: `'os::HL' || i`,
      secret_hash: `sha256(('router' || i)::bytea)`,
      model: reported.model,
      presence: reported.presence,
      presence_since: reported.presence_since,
    },
  },
  {
    table: 'routers',
    count: ENTRIES,
    where: ofMain,
    columns: {
      id: id('stock'),
      serial: `'ST' || ${digits(8)}`,
      mac: `lpad(upper(to_hex(206608000000 + i)), 12, '0')`,
      endpoint_id: `'os::ST' || i`,
      secret_hash: `sha256(('stock' || i)::bytea)`,
    },
  },
  {
    table: 'devices',
    count: DEVICES,
    where: ofOrganization,
    columns: {
      id: id('device'),
      router_id: id('router'),
      serial: device.serial,
      mac: `lpad(upper(to_hex(196608000000 + i)), 12, '0')`,
      ...reported,
      group_key: `'group' || 1 + i * 7919 % ${GROUPS}`,
      vehicle_number: `${pick(['Bus', 'Truck', 'Medic', 'Van'])} || ' ' || i * 40009 % 9000`,
      started_on: `date '2026-01-01' + i % 200`,
      expires_on: `current_date - 30 + i * 7919 % 700`,
      imei: `'35' || ${digits(13)}`,
      iccid: `'8901' || ${digits(15)}`,
      mtn: `'1' || ${digits(10)}`,
      up_since: ago('i * 40009 % 2000000'),
      health: 'i * 7919 % 101',
      tags: `case when i % 500 = 0 then '["night"]' else '[]' end::jsonb`,
    },
  },
  {
    table: 'router_ownership',
    count: DEVICES,
    where: ofOrganization,
    columns: { ...router, device_id: device.device_id, owned_from: `now() - interval '90 days'` },
  },
  {
    table: 'esim_profiles',
    count: ENTRIES,
    where: ofOrganization,
    columns: {
      ...device,
      id: id('esim'),
      eid: digits(32),
      iccid: `'8902' || ${digits(15)}`,
      name: `'Plan ' || i % 400`,
      status: `case when i % 500 = 0 then 'Fail to download' else 'Activated' end`,
    },
  },
  {
    table: 'alerts',
    count: ENTRIES,
    where: ofOrganization,
    columns: {
      id: id('alert'),
      device_id: device.device_id,
      serial: device.serial,
      state: `case when i % 50 = 0 then 'firing' else 'resolved' end`,
      resolved_at: `case when i % 50 = 0 then null else now() end`,
      fired_at: ago('i * 60'),
      since: ago('i * 60'),
      rule_id: `case when i % 50 = 0 then ${id('rule')} else (select id from alert_rules where organization_id = $1) end`,
    },
  },
  {
    table: 'audit_entries',
    count: ENTRIES,
    where: 'chain_id = $1',
    columns: {
      seq: '1000 + i',
      at: ago('(20000 - i) * 600'),
      actor_email: `'person-' || i % 200 || '@fleet.invalid'`,
      action: `'Changed device ' || i`,
      subject_id: `${id('device')}::text`,
    },
  },
  {
    table: 'audit_devices',
    count: ENTRIES,
    where: 'chain_id = $1',
    columns: { seq: '1000 + i', at: ago('(20000 - i) * 600'), device_id: id('device') },
  },
  {
    table: 'bulk_jobs',
    count: GROUPS,
    where: `${ofOrganization} and state = 'done'`,
    columns: { id: id('job'), created_at: ago('i * 600') },
  },
  {
    table: 'notification_events',
    count: ENTRIES,
    where: ofOrganization,
    columns: { id: id('event'), key: `'event' || i`, happened_at: ago('i * 60'), notified_at: 'now()' },
  },
  {
    table: 'notification_subscriptions',
    count: 1_000,
    where: ofOrganization,
    columns: { mail: `'person-' || i || '@fleet.invalid'`, recipient: `'person-' || i || '@fleet.invalid'` },
  },
  {
    table: 'webhook_deliveries',
    count: ENTRIES,
    where: ofOrganization,
    columns: {
      id: id('delivery'),
      position: '100000 + i',
      state: `case when i % 100 = 0 then 'failed' else 'delivered' end`,
      created_at: ago('i * 10'),
    },
  },
  {
    table: 'bindings',
    count: GROUPS,
    where: `${ofOrganization} and kind = 'config'`,
    columns: { id: id('binding'), group_key: `'group' || i` },
  },
  {
    table: 'rollout_targets',
    count: ENTRIES,
    where: ofOrganization,
    columns: {
      device_id: device.device_id,
      ...router,
      state: pick(['waiting', 'successful', 'failed', 'successful']),
      binding_id: `(select id from bindings where organization_id = $1 and group_key not like 'group%' limit 1)`,
    },
  },
  { table: 'config_files', count: GROUPS, where: ofOrganization, columns: { id: id('config'), name: `'depot-' || i || '.cfg'` } },
  {
    table: 'firmware',
    count: GROUPS,
    where: 'main_account_id = $2',
    columns: { id: id('firmware'), version: `'2.' || i`, sha256: `sha256(('image' || i)::bytea)` },
  },
  {
    table: 'mails',
    count: ENTRIES,
    where: ofOrganization,
    columns: { id: id('mail'), created_at: ago('i * 60'), sent_at: 'now()', last_error: 'null' },
  },
  { table: 'geofences', count: 500, where: ofOrganization, columns: { id: id('geofence'), name: `'Depot ' || i` } },
  {
    table: 'api_keys',
    count: 500,
    where: ofOrganization,
    columns: { id: id('key'), name: `'Key ' || i`, secret_hash: `sha256(('key' || i)::bytea)` },
  },
  { table: 'saved_views', count: 500, where: ofOrganization, columns: { id: id('view'), name: `'View ' || i` } },
  {
    table: 'router_certificates',
    count: ENTRIES,
    where: 'main_account_id = $2',
    columns: {
      id: id('certificate'),
      router_id: id('stock'),
      fingerprint: `sha256(('certificate' || i)::bytea)`,
      endpoint_id: `'user::' || i`,
    },
  },
];

/** What the tenant has no row of. */
const more = [
  `select ensure_partitions(current_date - 9, current_date + 3), ensure_position_partitions(current_date - 9, current_date + 3)`,
  `insert into router_contacts (router_id, last_contact_at, rssi, is_weak)
   select ${id('router')}, now(), -60 - i % 50, i % 500 = 0 from generate_series(1, ${DEVICES}) i`,
  `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
   select ${id('router')}, now() - i * interval '1 second', 41 + i % 1000 * 0.001, -88 + i % 997 * 0.001, false, now()
   from generate_series(1, ${DEVICES}) i`,
  `insert into usage_sims (organization_id, iccid, carrier) select $1, '8901' || ${digits(15)}, 'Verizon' from generate_series(1, ${ENTRIES}) i`,
  `insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
   select $1, usage_cycle_of((now() at time zone 'UTC')::date, 1), '8901' || ${digits(15)}, ${id('device')}, i * 7919 % 1000003, i
   from generate_series(1, ${ENTRIES}) i`,
  `insert into router_alarms (router_id, alarm, device_id, state, changed_at)
   select ${id('router')}, 'temperature', ${id('device')}, 'raised', now() from generate_series(1, ${PEOPLE}) i`,
  `insert into router_events (router_id, at, kind, subject, label, state)
   select e.router_id, now() - i * interval '1 minute', e.kind, e.subject, e.label, e.state
   from (select * from router_events limit 1) e, generate_series(1, ${ENTRIES}) i`,
] as const;

/** Fill the tables of a tenant as those of a large fleet: takes some seconds. @param superuser a connection to its database */
export async function fillTenant(superuser: Client, { organizationId, mainAccountId }: Tenant): Promise<void> {
  const named = (text: string) => text.replaceAll('$1', `'${organizationId}'::uuid`).replaceAll('$2', `'${mainAccountId}'::uuid`);
  await superuser.query('set session_replication_role = replica');
  for (const statement of more) await superuser.query(named(statement));
  for (const each of copies) {
    // Only the counts of devices and their identifiers are needed of what triggers write.
    await superuser.query(`set session_replication_role = ${each.table === 'devices' ? 'origin' : 'replica'}`);
    const { rowCount } = await superuser.query(named(await copyOf(superuser, each))).catch((error: Error) => {
      throw new Error(`${each.table}: ${error.message}`, { cause: error });
    });
    if (rowCount !== each.count) throw new Error(`The tenant has no row of ${each.table} to copy.`);
  }
  await superuser.query('vacuum analyze');
}

async function copyOf(client: Client, { table, count, columns, where }: Copies): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity <> 'a' order by attnum`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const changed = Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`);
  return `insert into ${table} (${names.join(', ')}) select ${names.map((name) => `r.${name}`).join(', ')}
    from (select * from ${table} where ${where} limit 1) t, generate_series(1, ${count}) i,
      jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${changed.join(', ')})) r`;
}
