import type { Database, Tx } from '../../ports/database.ts';
import type { Scope } from '../../scope.ts';
import { holdGroups } from '../groups/index.ts';

/** Where a device is: its organization and, in it, its group. */
export interface Placed {
  readonly id: string;
  readonly organization_id: string;
  readonly group_key: string;
}

/** A device went elsewhere between the look at it and its lock: the group it is in now was not held. */
class MovedMeanwhile extends Error {}

/** Run a change again from its start when a device moved under it; each turn somebody else's change was committed. */
export async function untilStill<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await database.write(work);
    } catch (error) {
      if (!(error instanceof MovedMeanwhile)) throw error;
    }
  }
}

/** Hold groups that devices are about to leave or to enter, in the order everybody takes them in. */
export async function holdHomes(
  tx: Tx,
  { mainAccountId }: Scope,
  places: readonly Pick<Placed, 'organization_id' | 'group_key'>[],
): Promise<void> {
  const homes = Map.groupBy(places, (place) => place.organization_id);
  for (const organizationId of [...homes.keys()].sort()) {
    const keys = new Set(homes.get(organizationId)!.map((place) => place.group_key));
    await holdGroups(tx, { kind: 'organization', mainAccountId, organizationId }, [...keys]);
  }
}

/** Let `untilStill` begin again unless every device is still where it was seen. */
export function refuseMoved(seen: readonly Placed[], now: readonly Placed[]): void {
  const homes = new Map(seen.map((device) => [device.id, device]));
  const isStill = ({ id, organization_id, group_key }: Placed) => {
    const home = homes.get(id);
    return home?.group_key === group_key && home.organization_id === organization_id;
  };
  if (!now.every(isStill)) throw new MovedMeanwhile();
}
