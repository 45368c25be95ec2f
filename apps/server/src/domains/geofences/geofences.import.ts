import { geofences as limits } from '@highline/contract';
import type { z } from 'zod';
import { newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { type GeofenceDeps, insert, rejectUnfit, faultOf } from './geofences.service.ts';
import { readTotals } from './geofences.store.ts';
import { readAreas } from './read-areas.ts';

/** Features that are named as left out. */
const MOST_LEFT_OUT = 100;

/**
 * Add the areas of a GeoJSON text, all or none; those without a name are numbered. Features that are no areas are left out.
 * @param dryRun check only, write nothing (BLK-05)
 * @throws DomainError as `addGeofence`, and `geofence.…` for a text that is not read or has no area; the reason names the feature
 */
export async function importGeofences(
  deps: Omit<GeofenceDeps, 'reader'>,
  scope: OrganizationScope,
  actor: Actor,
  text: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<z.infer<typeof limits.importGeofences.response>['result']> {
  const found = await readAreas(text);
  if ('fault' in found) throw faultOf(found.fault, found.feature);
  const leftOut = found.flatMap((each) => ('leftOut' in each ? [{ feature: each.feature, reason: each.leftOut }] : []));
  const at = deps.clock.now().getTime();
  const fences = found.flatMap((each) => {
    if ('leftOut' in each) return [];
    const { feature, name, shape } = each;
    return [{ id: newId(at), name: name || `Area ${feature}`, shape }];
  });
  if (fences.length === 0 && leftOut.length > 0)
    throw faultOf(leftOut.every(({ reason }) => reason === 'no_radius') ? 'no_radius' : 'geometry', leftOut[0]!.feature);
  if (fences.length > 0) {
    if (dryRun) rejectUnfit(fences, await readTotals(deps.database.read, scope));
    else await insert(deps, scope, actor, fences);
  }
  return { dryRun, added: fences.length, leftOutCount: leftOut.length, leftOut: leftOut.slice(0, MOST_LEFT_OUT) };
}
