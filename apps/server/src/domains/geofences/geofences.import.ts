import { geofences as limits, nameKey } from '@highline/contract';
import type { z } from 'zod';
import { newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { type GeofenceDeps, insert, type Named, rejectUnfit, faultOf } from './geofences.service.ts';
import { readTotals, type Totals } from './geofences.store.ts';
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
    return [{ id: newId(at), feature, name, shape }];
  });
  if (fences.length === 0 && leftOut.length > 0)
    throw leftOut.every(({ reason }) => reason === 'no_radius') ? faultOf('no_radius', leftOut[0]!.feature) : faultOf('geometry');
  if (fences.length > 0) {
    if (dryRun) nameAreas(fences, await readTotals(deps.database.read, scope));
    else await insert(deps, scope, actor, (totals) => nameAreas(fences, totals));
  }
  return { dryRun, added: fences.length, leftOutCount: leftOut.length, leftOut: leftOut.slice(0, MOST_LEFT_OUT) };
}

/** Number the areas without a name by their features, or with the next number that is free. @throws DomainError as `rejectUnfit` */
function nameAreas(areas: readonly (Named & { readonly feature: number })[], totals: Totals): readonly Named[] {
  const taken = new Set([...totals.names, ...areas.map(({ name }) => name)].map((name) => nameKey(name)));
  const freeName = (from: number) => {
    let number = from;
    while (taken.has(nameKey(`Area ${number}`))) number++;
    taken.add(nameKey(`Area ${number}`));
    return `Area ${number}`;
  };
  const named = areas.map(({ id, feature, name, shape }) => ({ id, name: name || freeName(feature), shape }));
  rejectUnfit(
    named,
    totals,
    areas.map(({ feature }) => feature),
  );
  return named;
}
