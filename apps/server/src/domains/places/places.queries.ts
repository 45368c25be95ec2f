// Reads tables of other domains: geofences.
import type { GeofenceShape } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Reader } from '../../platform/listing/index.ts';

export interface NamedArea {
  readonly name: string;
  readonly shape: GeofenceShape;
}

/** Names and areas of the geofences of an organization: at most 500 with 20,000 corners. */
export async function readNamedAreas(reader: Reader, { organizationId }: OrganizationScope): Promise<readonly NamedArea[]> {
  return reader.rows<NamedArea>(
    sql`select name, shape from geofences where organization_id = ${organizationId}::uuid order by id`,
  );
}
