import type { Database, Tx, Row } from '../../platform/ports/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { lockGroups } from '../groups/index.ts';

/** The location of a device: its organization and group. */
export type Located = Row<'devices', 'id' | 'organization_id' | 'group_key'>;

/** A device moved between the read and its lock: its present group was not locked. */
class MovedMeanwhile extends Error {}

/** Run a change again from its start when a device moved concurrently; each retry means that another change was committed. */
export async function untilStill<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await database.write(work);
    } catch (error) {
      if (!(error instanceof MovedMeanwhile)) throw error;
    }
  }
}

/** Lock groups that devices are about to leave or join, in the global lock order. */
export async function lockLocations(
  tx: Tx,
  { mainAccountId }: Scope,
  locations: readonly Pick<Located, 'organization_id' | 'group_key'>[],
): Promise<void> {
  const byOrganization = Map.groupBy(locations, (location) => location.organization_id);
  for (const organizationId of [...byOrganization.keys()].sort()) {
    const keys = new Set(byOrganization.get(organizationId)!.map((location) => location.group_key));
    await lockGroups(tx, { kind: 'organization', mainAccountId, organizationId }, [...keys]);
  }
}

/** Make `untilStill` retry unless every device is still where it was read. */
export function rejectMoved(seen: readonly Located[], now: readonly Located[]): void {
  const byOrganization = new Map(seen.map((device) => [device.id, device]));
  const isStill = ({ id, organization_id, group_key }: Located) => {
    const home = byOrganization.get(id);
    return home?.group_key === group_key && home.organization_id === organization_id;
  };
  if (!now.every(isStill)) throw new MovedMeanwhile();
}
