import { seedOrganization, type BenchDatabase } from './cluster.ts';
import type { RouterDescriptionInput } from '@highline/testkit/router';

export interface ClaimedRouter {
  readonly id: string;
  readonly serial: string;
  readonly mac: string;
  readonly secret: string;
  readonly endpointId: string;
}

export interface ClaimedRouters {
  readonly routers: readonly ClaimedRouter[];
  /** An admin of their organization. */
  readonly person: { readonly id: string; readonly bearer: string };
}

/** Routers of one organization, each claimed by a device. Their secrets are derived from their numbers. */
export async function seedRouters(database: BenchDatabase, count: number): Promise<ClaimedRouters> {
  const { owner } = database;
  const { mainAccountId, organizationId, admin } = await seedOrganization(database);
  await owner.query(
    `insert into routers (id, main_account_id, serial, mac, model, endpoint_id, secret_hash, organization_id, device_id)
      select gen_random_uuid(), $1, 'BENCH-' || lpad(i::text, 6, '0'), '00B2D0' || lpad(upper(to_hex(i)), 6, '0'), 'HL-R520 5G',
        'os::00B2D0-BENCH-' || lpad(i::text, 6, '0'), sha256(('bench secret ' || i)::bytea), $2, gen_random_uuid()
      from generate_series(1, $3::int) i`,
    [mainAccountId, organizationId, count],
  );
  await owner.query(
    `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, started_on, expires_on)
      select organization_id, device_id, main_account_id, id, serial, mac,
        (select key from groups where organization_id = $1 limit 1), date '2026-01-01', date '2027-12-31'
      from routers where organization_id = $1`,
    [organizationId],
  );
  await owner.query('analyze routers');
  await owner.query('analyze devices');
  const { rows } = await owner.query<{ id: string; serial: string; mac: string; endpointId: string }>(
    'select id, serial, mac, endpoint_id as "endpointId" from routers order by serial',
  );
  const routers = rows.map((row, index) => ({ ...row, secret: `bench secret ${index + 1}` }));
  return { routers, person: admin };
}

export function description({ serial, mac, secret }: ClaimedRouter): RouterDescriptionInput {
  return { serial, mac, secret, model: 'HL-R520 5G', firmware: '2.8.1', config: 'depot.cfg', carrier: 'Verizon' };
}
