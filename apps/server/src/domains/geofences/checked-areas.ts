import { shapeFault } from '@highline/contract/geofence-shape';
import { readGeoJson } from '@highline/contract/geojson';
import type { GeoJsonFault, ImportedArea, LeftOut, ShapeFault } from '@highline/contract';

export type AreaFault = GeoJsonFault | ShapeFault;

/** The features of a file whose areas can be geofences; or why the file is not read, and of which feature. */
export type ReadAreas = readonly (ImportedArea | LeftOut)[] | { readonly fault: AreaFault; readonly feature?: number };

export function checkedAreas(text: string): ReadAreas {
  const found = readGeoJson(text);
  if ('fault' in found) return found;
  for (const each of found) {
    const fault = 'shape' in each ? shapeFault(each.shape) : undefined;
    if (fault !== undefined) return { fault, feature: each.feature };
  }
  return found;
}
