import { coverage } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallQuery } from '../../api/client.ts';
import { type Page, pageOf, REFRESH_MS } from '../../api/useList.ts';

export type Cell = coverage.CoverageCell;
export type Coverage = Awaited<ReturnType<typeof fetchCells>>;

async function fetchCells(query: CallQuery<typeof coverage.cells>, signal: AbortSignal) {
  return (await call(coverage.cells, { query, signal })).result;
}

/** Hexagons of a part of the map, or of all of it. */
export const cellsQuery = (query: CallQuery<typeof coverage.cells>) =>
  queryOptions({
    queryKey: ['coverage', 'cells', query] as const,
    queryFn: ({ signal }) => fetchCells(query, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

export async function fetchZones(
  query: CallQuery<typeof coverage.deadZones>,
  signal: AbortSignal,
): Promise<Page<coverage.DeadZone>> {
  return pageOf(await call(coverage.deadZones, { query, signal }));
}

export const fetchZonesFile = (query: CallQuery<typeof coverage.exportDeadZones>): Promise<Blob> =>
  callFile(coverage.exportDeadZones, { query });

export async function fetchVehicles(
  query: CallQuery<typeof coverage.vehicles>,
  signal: AbortSignal,
): Promise<Page<coverage.CoverageVehicle>> {
  return pageOf(await call(coverage.vehicles, { query, signal }));
}

export const fetchVehiclesFile = (query: CallQuery<typeof coverage.exportVehicles>): Promise<Blob> =>
  callFile(coverage.exportVehicles, { query });
