// Reads tables of other domains: devices, router_ownership.
import { tools } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { defineList, type Reader } from '../../platform/listing/index.ts';
import { toRunDto } from './run.dto.ts';
import { runColumns, type RunRow } from './tools.store.ts';

const table = sql`tool_runs r`;

/** Tests of a device of the organization, the newest first. */
export const runList = (deviceId: string) =>
  defineList({
    of: ({ organizationId }: OrganizationScope, { tool }: z.output<typeof tools.listRuns.query>) => ({
      name: 'tool-runs',
      dependsOn: deviceId,
      table,
      alias: 'r',
      identity: ['organization_id', 'id'],
      ownKey: 'id',
      scope: sql`r.organization_id = ${organizationId}::uuid and r.device_id = ${deviceId}::uuid`,
      filters: tool === undefined ? [] : [sql`r.tool = ${tool}`],
      estimatable: false,
      columns: runColumns,
      segments: [{ from: table, keys: [{ column: sql`r.id`, kind: 'uuid' as const }], descending: true }],
    }),
    toDto: (row: RunRow) => toRunDto(row),
  });

/** A run of a living device of the organization, or undefined; also for an invalid id. */
export async function findRun(reader: Reader, { organizationId }: OrganizationScope, id: string): Promise<RunRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<RunRow>(sql`select ${runColumns} from tool_runs r
    join devices d on d.organization_id = r.organization_id and d.id = r.device_id and d.archived_at is null
    where r.organization_id = ${organizationId}::uuid and r.id = ${id}::uuid`);
  return row;
}

/** The runs of the same kind on the same device before another, with a result, the newest first. */
export async function listEarlier(
  reader: Reader,
  { organizationId }: OrganizationScope,
  { id, device_id: deviceId, tool }: RunRow,
): Promise<RunRow[]> {
  return reader.rows<RunRow>(sql`select ${runColumns} from tool_runs r
    where r.organization_id = ${organizationId}::uuid and r.device_id = ${deviceId}::uuid and r.tool = ${tool} and r.id < ${id}::uuid
      and r.state = 'done' order by r.id desc limit 20`);
}

/** How far a position may be from the time of a test. */
const NEAR = sql`interval '5 minutes'`;
/** How long a vehicle that stood stays where it was, unless it reports another position: parked ones report seldom, ours every ten minutes. */
const PARKED = sql`interval '15 minutes'`;
const STANDING_KMH = 5;

/** The speeds that tests of a device measured, the newest first, each with where the vehicle was then (LIV-05), while it was the organization's: times of positions are seconds. */
export async function listMeasuredSpeeds(
  reader: Reader,
  { organizationId }: OrganizationScope,
  deviceId: string,
): Promise<tools.MeasuredSpeed[]> {
  interface SpeedRow extends Pick<RunRow, 'id' | 'created_at'> {
    readonly tool: tools.MeasuredSpeed['tool'];
    readonly speed: number;
    readonly latitude: number | null;
    readonly longitude: number | null;
  }
  const rows = await reader.rows<SpeedRow>(sql`select r.id, r.tool, r.created_at, r.speed, p.latitude, p.longitude
    from (select id, tool, created_at, device_id, router_id, (result ->> 'bitsPerSecond')::float8 as speed from tool_runs
      where organization_id = ${organizationId}::uuid and device_id = ${deviceId}::uuid and tool in ('download', 'upload')
        and state = 'done' and result ->> 'bitsPerSecond' is not null order by id desc limit ${tools.MOST_SPEEDS}) r
    left join lateral (select p.at, p.latitude, p.longitude, p.speed
      from positions_between(r.router_id, r.created_at - ${PARKED}, r.created_at + ${NEAR}) p where not p.is_jump
        and exists (select from router_ownership w where w.organization_id = ${organizationId}::uuid and w.device_id = r.device_id
          and w.router_id = r.router_id and p.at >= date_trunc('second', w.owned_from) and p.at < coalesce(w.owned_until, 'infinity'))
      order by abs(extract(epoch from p.at - r.created_at)) limit 1) p on p.at >= r.created_at - ${NEAR} or p.speed <= ${STANDING_KMH}
    order by r.id desc`);
  return rows.map(({ id: run, tool, created_at: at, speed, latitude, longitude }) => ({
    run,
    tool,
    at: at.toISOString(),
    bitsPerSecond: speed,
    place: latitude === null || longitude === null ? null : { latitude, longitude },
  }));
}
