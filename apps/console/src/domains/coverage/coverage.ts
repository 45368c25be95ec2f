import { coverage } from '@highline/contract';
import { type Box, boundsOfPlaces, type Place, wrapLongitude } from '../../entities/map/bounds.ts';

const DAY_MS = 86_400_000;
/** Days of a period without a choice. */
export const USUAL_DAYS = '30';

/** The part of the address that calls take. */
export interface Shared {
  readonly days?: string | undefined;
  readonly carrier?: string | undefined;
  readonly technology?: string | undefined;
}

/** The parameters of calls: the last days up to today, of UTC. */
export function sharedQuery({ days = USUAL_DAYS, carrier, technology }: Shared, now: number) {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return {
    from: day(now - (Number(days) - 1) * DAY_MS),
    until: day(now),
    ...(carrier !== undefined && { carrier }),
    ...(technology !== undefined && { technology }),
  };
}

/** The search of /outages for a hexagon, with the period and the carrier that are chosen here. */
export const searchOutages = (hexagon: string) => (({ days, carrier }: Shared) => ({ hexagon, period: days, carrier })) as never;

/** A place as text: its coordinates. */
export const coordinates = (latitude: number, longitude: number): string => `${latitude.toFixed(3)}, ${longitude.toFixed(3)}`;

/** Whether it is as small as those that outages are stored with: an H3 index says its resolution. */
export const isFinest = (cell: string): boolean => cell.startsWith(`8${coverage.FINEST_CELL}`);

/** Degrees around a place that is shown by itself: within them, hexagons are of the finest resolution. */
const NEAR = 0.05;

/** The part of the earth around a place. */
export const boxNear = ({ latitude, longitude }: Place): Box => [
  wrapLongitude(longitude - NEAR),
  Math.max(-90, latitude - NEAR),
  wrapLongitude(longitude + NEAR),
  Math.min(90, latitude + NEAR),
];

/** Small hexagons stand out from the large one that they count in. Degrees. */
const MARGIN = 0.1;

/** The part of the earth that large hexagons cover, with what stands out from them; over the date line its west is more than its east. */
export function boxAround(cells: readonly { readonly corners: readonly (readonly [number, number])[] }[]): Box {
  const corners = cells.flatMap((cell) => cell.corners.map(([longitude, latitude]) => ({ longitude, latitude })));
  const [west, south, east, north] = boundsOfPlaces(corners) ?? [-180, -90, 180, 90];
  const rounded = (degrees: number) => Math.round(degrees * 1e3) / 1e3;
  const isWhole = east - west + 2 * MARGIN >= 360;
  return [
    isWhole ? -180 : rounded(wrapLongitude(west - MARGIN)),
    rounded(Math.max(-90, south - MARGIN)),
    isWhole ? 180 : rounded(wrapLongitude(east + MARGIN)),
    rounded(Math.min(90, north + MARGIN)),
  ];
}
