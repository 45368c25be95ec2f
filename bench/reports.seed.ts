import { ensureTimePartitions } from '../apps/server/src/domains/router-state/index.ts';
import { createDatabase } from '@highline/testkit/database';
import type { Pool } from 'pg';
import { seedOrganization, type BenchDatabase } from './cluster.ts';

/** Routers of each of two organizations. */
export const ROUTERS = 1_000;
export const DAYS = 30;
/** Reports per router and day, with two parameters each. */
const REPORTS = 24;
export const VALUES = 2 * ROUTERS * DAYS * REPORTS * 2;
/** Devices of the group used for statistics. */
export const GROUP_DEVICES = 100;

export interface SeededRecords {
  readonly organizationId: string;
  readonly bearer: string;
  readonly group: string;
  readonly devices: readonly string[];
}

/** Two organizations whose routers reported temperature and signal every hour for thirty days. */
export async function seedRecords(database: BenchDatabase, pool: Pool): Promise<SeededRecords> {
  const { owner, seeding } = database;
  const { main, scope: own, admin } = await seedOrganization(database);
  const other = await seeding.organization(main, 'Harbour Lines');
  const group = await seeding.group(own, 'Night buses');
  for (const [number, { organizationId }] of [own, other].entries()) {
    await owner.query(
      `insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
       select gen_random_uuid(), $1, 'B' || $4 || lpad(i::text, 6, '0'), '00B2D' || $4 || lpad(upper(to_hex(i)), 6, '0'),
         'os::B' || $4 || i, sha256(('bench ' || $4 || i)::bytea), $2, gen_random_uuid() from generate_series(1, $3::int) i`,
      [main.mainAccountId, organizationId, ROUTERS, String(number)],
    );
  }
  await owner.query(
    `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key)
     select organization_id, device_id, main_account_id, id, serial, mac,
       case when organization_id = $1 and right(serial, 4)::int <= $3 then $2 else 'default+group+id' end from routers`,
    [own.organizationId, group, GROUP_DEVICES],
  );
  await owner.query(`insert into router_ownership (router_id, owned_from, organization_id, device_id)
    select id, now() - interval '60 days', organization_id, device_id from routers`);
  await ensureTimePartitions(
    createDatabase(pool, () => {}),
    new Date(),
  );
  await owner.query(`select ensure_partitions((now() - make_interval(days => $1))::date, now()::date)`, [DAYS + 1]);
  for (let day = DAYS; day > 0; day -= 1)
    await owner.query(
      `insert into telemetry_reports (router_id, at, rssi, temperature)
       select r.id, at + (('x' || right(r.id::text, 6))::bit(24)::int % 3600000) * interval '1 millisecond',
         -60 - random() * 40, 20 + random() * 30
       from generate_series(now() - make_interval(days => $1), now() - make_interval(days => $1 - 1) - interval '1 hour',
         interval '1 hour') at, routers r`,
      [day],
    );
  await owner.query('vacuum analyze');
  const { rows } = await owner.query<{ id: string }>('select id from devices where organization_id = $1 order by serial', [
    own.organizationId,
  ]);
  return { organizationId: own.organizationId, bearer: admin.bearer, group, devices: rows.map((row) => row.id) };
}
