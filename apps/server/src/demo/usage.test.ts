import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, type Actor, type OrganizationScope } from '../kernel/index.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../testing/routers.ts';
import { demoOrganizations } from './fleet-data.ts';
import { seedUsage } from './usage.ts';

let fleet: RouterDatabase;
beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

test.each(['2026-11-01T08:00:00Z', '2026-11-23T08:00:00Z'])(
  'USE-03-partial the first vehicle of the demo has almost reached its allowance, the others have not: %s',
  async (now) => {
    const { organizationId, mainAccountId, database } = fleet;
    await database.write(async (tx) => {
      for (const table of ['usage_days', 'usage_cycles', 'usage_totals', 'usage_plans', 'usage_sims'] as const)
        await tx.deleteFrom(table).execute();
      await tx.deleteFrom('devices').execute();
    });
    const vehicles = demoOrganizations[0]!.vehicles.slice(0, 3);
    const routers = await addTestRouters(fleet, vehicles.length);
    for (const [index, { serial }] of vehicles.entries())
      await database.write((tx) =>
        sql`update devices set serial = ${serial} where id = ${routers[index]!.deviceId}::uuid`.execute(tx),
      );
    const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
    const actor: Actor = {
      accountId: newId(),
      email: 'demo@highline.example',
      name: 'Demo',
      role: 'main',
      mainAccountId,
      organizationId: null,
      address: '127.0.0.1',
      sessionId: '',
    };
    await seedUsage({ database, clock: { now: () => new Date(now) } }, scope, actor, vehicles);
    const { rows } = await sql<{ device_id: string; used: number; allowance: number }>`select c.device_id,
        sum(c.sent + c.received)::float8 as used, p.allowance::float8 as allowance
      from usage_cycles c join usage_plans p on p.organization_id = c.organization_id
      where c.cycle_from = '2026-11-01' group by c.device_id, p.allowance`.execute(database.read);
    const shares = new Map(rows.map((row) => [row.device_id, row.used / row.allowance]));
    expect(shares.get(routers[0]!.deviceId)).toBeCloseTo(0.99, 3);
    for (const { deviceId } of routers.slice(1)) expect(shares.get(deviceId)).toBeLessThan(0.8);
  },
);
