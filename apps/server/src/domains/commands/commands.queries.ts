// Reads tables of other domains: devices, routers.
import { sql } from 'kysely';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** A device with its router. */
export interface RouterOfDevice {
  readonly deviceId: string;
  readonly routerId: string;
  readonly serial: string;
  /** It is connected to some process. */
  readonly isOnline: boolean;
  /** The process that has its connection. */
  readonly heldBy: string | null;
}

/** A living device of the organization. */
export async function findRouterOf(
  queries: Queries,
  scope: OrganizationScope,
  deviceId: string,
): Promise<RouterOfDevice | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } = await sql<RouterOfDevice>`
    select d.id as "deviceId", d.router_id as "routerId", d.serial, d.presence = 'online' as "isOnline", r.held_by as "heldBy"
    from devices d join routers r on r.id = d.router_id
    where d.organization_id = ${scope.organizationId}::uuid and d.id = ${deviceId}::uuid and d.archived_at is null`.execute(
    queries,
  );
  return rows[0];
}
