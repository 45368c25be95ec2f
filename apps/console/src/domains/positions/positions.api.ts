import { positions } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallQuery } from '../../api/client.ts';
import { estimatedOf, merged, replaced, vehicleOf, withEstimated, type Vehicle } from './vehicle.ts';

/** The vehicles of a map. */
export interface MapData {
  readonly vehicles: readonly Vehicle[];
  /** The filters that they match; those of before until the vehicles of new ones are there. */
  readonly view: string;
  /** There are more than are shown. */
  readonly isCut: boolean;
  /** Devices that never had a position. */
  readonly never: number;
  /** Devices without a position for 24 hours. */
  readonly old: number;
  /** Devices whose positions are rejected. */
  readonly rejected: number;
  /** Of the server, epoch milliseconds. */
  readonly asOf: number;
  /** When all of it was fetched, not only what is new. */
  readonly fullAt: number;
}

type Filters = Omit<CallQuery<typeof positions.map>, 'bbox' | 'since'>;

/** What is new is fetched with each change; all of it again after this time, since a device may no longer match the filters. */
const FULL_MS = 20_000;

/** Milliseconds until all of it is due, whatever was fetched since; after a failure as long again. */
function untilAll(fullAt: number): number {
  const left = fullAt + FULL_MS - Date.now();
  return left > 0 ? left : FULL_MS;
}

/** The newest position of each vehicle that matches, live (POS-02). */
export const mapDataQuery = (query: Filters) =>
  queryOptions({
    queryKey: ['positions', 'map', query] as const,
    queryFn: async ({ signal, client, queryKey }): Promise<MapData> => {
      const before = client.getQueryData<MapData>(queryKey);
      const isFresh = before !== undefined && Date.now() - before.fullAt < FULL_MS;
      const since = isFresh ? { since: before.asOf } : {};
      const { result } = await call(positions.map, { query: { ...query, ...since }, signal });
      const vehicles = result.vehicles.map(vehicleOf);
      if (isFresh && !result.isCut) return { ...before, vehicles: merged(before.vehicles, vehicles), asOf: result.asOf };
      const { isCut, never = 0, old = 0, rejected = 0, estimated = [], asOf } = result;
      const all = withEstimated(vehicles, estimated.map(estimatedOf));
      return {
        vehicles: replaced(before?.vehicles ?? [], all),
        view: JSON.stringify(query),
        isCut,
        never,
        old,
        rejected,
        asOf,
        fullAt: Date.now(),
      };
    },
    refetchInterval: ({ state: { data } }) => untilAll(data?.fullAt ?? 0),
    placeholderData: keepPreviousData,
    meta: { topics: ['positions', 'devices', 'alerts'] },
  });
