// Reads tables of other domains: device_identifiers.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** Those of the ICCIDs that routers have reported: they were used, or a device has them. */
export async function findReported(
  queries: Queries,
  { organizationId }: OrganizationScope,
  iccids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ iccid: string }>`select i as iccid from unnest(${[...iccids]}::text[]) i
    where exists (select from usage_cycles k where k.organization_id = ${organizationId}::uuid and k.iccid = i)
       or exists (select from device_identifiers n
         where n.organization_id = ${organizationId}::uuid and n.value = i and n.kind = 'iccid')`.execute(queries);
  return new Set(rows.map(({ iccid }) => iccid));
}
