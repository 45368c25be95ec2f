import { positions } from '@highline/contract';
import { sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import type { Reader } from '../../platform/listing/index.ts';
import { openHome } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { listNewestPositions } from './positions.queries.ts';

const VEHICLES = 2_000;
const OPEN = VEHICLES / 10;
const app = useTestApp('2026-11-20T12:00:00Z');

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Filter'?: number;
}

/** Rows that the nodes of a plan read and threw away, over all their loops. */
const rowsDiscarded = (node: PlanNode): number =>
  ((node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsDiscarded(child), 0);

/** A reader that answers with the plan of each statement instead of its rows. */
const explaining = (plans: PlanNode[]): Reader => ({
  ...app.reader,
  rows: async <Row>(statement: RawBuilder<unknown>) => {
    const { rows } = await sql<{
      'QUERY PLAN': readonly { Plan: PlanNode }[];
    }>`explain (analyze, format json) ${statement}`.execute(app.database.read);
    plans.push(rows[0]!['QUERY PLAN'][0]!.Plan);
    return [] as Row[];
  },
});

test('POS-02-partial while many vehicles have open alerts the map discards no more rows than there are vehicles', async () => {
  const { own } = await openHome(app);
  await app.owner.query(
    `insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
     select gen_random_uuid(), $1, 'MP' || n, lpad(to_hex(n), 12, 'A'), 'os::MP' || n, sha256(n::text::bytea), $2, gen_random_uuid()
     from generate_series(1, $3::int) n`,
    [own.mainAccountId, own.organizationId, VEHICLES],
  );
  await app.owner.query(
    `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, started_on, expires_on)
     select organization_id, device_id, main_account_id, id, serial, mac, (select key from groups where organization_id = $1 limit 1),
       '2026-01-01', '2027-12-31' from routers where organization_id = $1`,
    [own.organizationId],
  );
  await app.owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
     select id, '2026-11-01', organization_id, device_id from routers where organization_id = $1 on conflict do nothing`,
    [own.organizationId],
  );
  await app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, stored_at, is_jump)
     select id, '2026-11-20', 41, -87, now(), false from routers where organization_id = $1`,
    [own.organizationId],
  );
  for (const [state, count] of [
    ['firing', OPEN],
    ['resolved', 3 * OPEN],
  ] as const)
    await app.owner.query(
      `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
         group_key, state, since, fired_at, resolved_at)
       select organization_id, gen_random_uuid(), main_account_id, gen_random_uuid(), 'Vehicle lost', 'critical', 'offline', id, serial, '',
         group_key, $1, now(), now(), case when $1 = 'resolved' then now() end
       from devices where organization_id = $2 order by id limit $3`,
      [state, own.organizationId, count],
    );
  await app.owner.query('analyze');

  const plans: PlanNode[] = [];
  const query = positions.mapQuery.parse({});
  await listNewestPositions(explaining(plans), own, query, { now: app.clock.now(), expiringDays: 30 });
  expect(plans).toHaveLength(1);
  expect(plans[0]!['Actual Rows']).toBe(VEHICLES);
  expect(rowsDiscarded(plans[0]!)).toBeLessThanOrEqual(VEHICLES);
});
