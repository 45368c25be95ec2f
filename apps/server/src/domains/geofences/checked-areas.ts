import { shapeFault } from '@highline/contract/geofence-shape';
import { readGeoJson } from '@highline/contract/geojson';
import type { ReadAreas } from './read-areas.ts';

export function checkedAreas(text: string): ReadAreas {
  const found = readGeoJson(text);
  if ('fault' in found) return found;
  for (const each of found) {
    const fault = 'shape' in each ? shapeFault(each.shape) : undefined;
    if (fault !== undefined) return { fault, feature: each.feature };
  }
  return found;
}
