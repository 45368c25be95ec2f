import { readReportSeconds } from '../domains/devices/index.ts';
import { readModelSeconds } from '../domains/inventory/index.ts';
import type { Queries } from '../platform/ports/database.ts';

/**
 * Seconds between two reports, of the routers whose group or else whose model sets it.
 * @returns by router; one that is missing reports as often as the installation sets
 */
export async function readIntervals(queries: Queries, routerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const [ofModels, ofGroups] = await Promise.all([readModelSeconds(queries, routerIds), readReportSeconds(queries, routerIds)]);
  return new Map([...ofModels, ...ofGroups]);
}
