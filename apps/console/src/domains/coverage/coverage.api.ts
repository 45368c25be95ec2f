import { coverage } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallQuery, filesOf } from '../../api/client.ts';
import { pagesOf, REFRESH_MS } from '../../api/useList.ts';

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

export const fetchZones = pagesOf(coverage.deadZones);

export const fetchZonesFile = filesOf(coverage.exportDeadZones);

export const fetchVehicles = pagesOf(coverage.vehicles);

export const fetchVehiclesFile = filesOf(coverage.exportVehicles);
