import { cellArea, cellToBoundary, cellToLatLng, cellToParent, getHexagonAreaAvg, latLngToCell, polygonToCells } from 'h3-js';

/** Hexagons that are stored: about 1 km across for streets, up to those of a continent. */
export const FINEST = 8;
export const COARSEST = 2;
export const resolutions: readonly number[] = Array.from({ length: FINEST - COARSEST + 1 }, (_, index) => FINEST - index);

/** West, south, east, north in degrees; over the date line if west is more than east. */
export type Box = readonly [west: number, south: number, east: number, north: number];

const KM_PER_DEGREE = 111.2;
/** H3 takes a polygon for the smaller part of the earth: wide boxes are divided. */
const WIDEST = 60;

/** The hexagon of the finest size at a place. Degrees, WGS 84. */
export const cellAt = (latitude: number, longitude: number): string => latLngToCell(latitude, longitude, FINEST);

/** The larger hexagon that a hexagon counts in; itself at its own resolution. */
export const parentOf = (cell: string, resolution: number): string =>
  resolution === FINEST ? cell : cellToParent(cell, resolution);

/** Five decimals are a metre. */
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

/** Longitude and latitude of the corners, not closed. */
export const cornersOf = (cell: string): [longitude: number, latitude: number][] =>
  cellToBoundary(cell, true)
    .slice(0, -1)
    .map(([longitude, latitude]) => [rounded(longitude), rounded(latitude)]);

/** The middle of a hexagon. */
export function centerOf(cell: string): { readonly latitude: number; readonly longitude: number } {
  const [latitude, longitude] = cellToLatLng(cell);
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

/** Parts of a box that do not cross the date line. */
function partsOf([west, south, east, north]: Box): Box[] {
  if (west > east) return [...partsOf([west, south, 180, north]), ...partsOf([-180, south, east, north])];
  const strips = Math.max(1, Math.ceil((east - west) / WIDEST));
  const width = (east - west) / strips;
  return Array.from({ length: strips }, (_, index): Box => [west + index * width, south, west + (index + 1) * width, north]);
}

function areaOf(box: Box): number {
  return partsOf(box).reduce((sum, [west, south, east, north]) => {
    const radians = (degrees: number) => (degrees * Math.PI) / 180;
    const height = (Math.sin(radians(north)) - Math.sin(radians(south))) * (180 / Math.PI);
    return sum + (east - west) * height * KM_PER_DEGREE ** 2;
  }, 0);
}

/** About how many hexagons of a size a box has. */
export const countIn = (box: Box, resolution: number): number => areaOf(box) / getHexagonAreaAvg(resolution, 'km2');

/** The smallest stored hexagons of which a box has at most so many. */
export function resolutionFor(box: Box, most: number): number {
  return resolutions.find((resolution) => countIn(box, resolution) <= most) ?? COARSEST;
}

/** The hexagons whose middle is in a box or a little outside, so that its edges are covered too. */
export function cellsIn(box: Box, resolution: number): string[] {
  const margin = Math.sqrt(getHexagonAreaAvg(resolution, 'km2')) / KM_PER_DEGREE;
  const found = new Set<string>();
  for (const [west, south, east, north] of partsOf(box)) {
    const [low, high] = [Math.max(-90, south - margin), Math.min(90, north + margin)];
    const sideways = margin / Math.max(0.02, Math.cos((Math.max(Math.abs(low), Math.abs(high)) * Math.PI) / 180));
    const [left, right] = [west - Math.min(20, sideways), east + Math.min(20, sideways)];
    const corners: [number, number][] = [[low, left], [low, right], [high, right], [high, left]]; // prettier-ignore
    for (const cell of polygonToCells(corners, resolution)) found.add(cell);
  }
  return [...found];
}

/** Square kilometres of a hexagon. */
export const squareKm = (cell: string): number => Math.round(cellArea(cell, 'km2') * 100) / 100;
