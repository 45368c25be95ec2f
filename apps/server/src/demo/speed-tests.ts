import { sql } from 'kysely';
import type { tools } from '@highline/contract';
import { newId, type OrganizationScope } from '../kernel/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { demoSpeedTests } from './fleet-data.ts';

/** A test for so many positions of the drives that `seedCoverage` stored, one each minute. */
const EVERY = 61;
const BYTES = 10_000_000;

/** Speed tests of a few buses on their rounds: a chart, and a map that shows where it is slow (LIV-05). */
export async function seedSpeedTests(
  database: Database,
  { organizationId }: OrganizationScope,
  by: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ device: string; router: string; at: Date; latitude: number; n: number }>`
    select d.id as device, d.router_id as router, p.at, p.latitude, p.n::int as n from devices d
      cross join lateral (select q.at, q.latitude, row_number() over (order by q.at) as n
        from positions_between(d.router_id, ${now}::timestamptz - interval '5 days', ${now}::timestamptz - interval '1 day') q) p
    where d.organization_id = ${organizationId}::uuid and d.vehicle_number = any (${[...demoSpeedTests]}::text[]) and p.n % ${EVERY} = 0
    order by p.at`.execute(database.read);
  for (const { device, router, at, latitude, n } of rows) {
    const result = resultOf(latitude, n);
    const input: tools.ToolInput = { tool: 'download', bytes: BYTES };
    const ended = new Date(at.getTime() + (result.milliseconds ?? 0));
    await sql`insert into tool_runs (organization_id, id, device_id, router_id, tool, input, state, result, started_by, created_at, ended_at,
        ends_by, has_passed)
      values (${organizationId}::uuid, ${newId(at.getTime())}::uuid, ${device}::uuid, ${router}::uuid, ${input.tool},
        ${JSON.stringify(input)}::jsonb, 'done', ${JSON.stringify(result)}::jsonb, ${by}, ${at}::timestamptz, ${ended}::timestamptz,
        ${ended}::timestamptz, true)`.execute(database.read);
  }
}

/** Faster near the base stations in the south. */
function resultOf(latitude: number, n: number): Extract<tools.ToolResult, { tool: 'download' }> {
  const bitsPerSecond = Math.round(1e6 * (9 + 34 * Math.max(0, 1 - Math.abs(latitude - 41.88) / 0.09) + ((n * 7) % 5)));
  const milliseconds = (BYTES * 8_000) / bitsPerSecond;
  return { tool: 'download', status: 'complete', address: '127.0.0.1', transferred: BYTES, milliseconds, bitsPerSecond };
}
