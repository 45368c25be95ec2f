/** Metres outside of a geofence from which a vehicle may have left it, and seconds that it must stay on the other side. */
export const LEAVE_METRES = 50;
export const STAY_SECONDS = 30;
/** Corners of one geofence, holes included. */
export const MAX_CORNERS = 1_000;
/** Corners of all geofences of one organization together. */
export const MAX_CORNERS_OF_ALL = 20_000;
/** Metres. */
export const MIN_RADIUS = 10;
export const MAX_RADIUS = 100_000;

/** Degrees, WGS 84: longitude, latitude, as in GeoJSON. */
export type Corner = [longitude: number, latitude: number];

/** The area of a geofence; `shapeFault` says whether it can be one. */
export type GeofenceShape =
  | {
      kind: 'circle';
      latitude: number;
      longitude: number;
      /** Metres. */
      radius: number;
    }
  | {
      kind: 'polygon';
      /**
       * Each ends with its first corner: an outer ring and its holes, or several of them where the area has more than one part. Inside is
       * what an odd number of rings surrounds.
       */
      rings: Corner[][];
    };

/** Corners of a shape; a circle counts as one. */
export function cornersOf(shape: GeofenceShape): number {
  return shape.kind === 'circle' ? 1 : shape.rings.reduce((sum, ring) => sum + ring.length, 0);
}

/** Why an area cannot be a geofence; each has a message. */
export const shapeFaults = ['outside', 'radius', 'corners', 'too_many_corners', 'open', 'date_line', 'crosses_itself'] as const;
export type ShapeFault = (typeof shapeFaults)[number];

const isPlace = (longitude: number, latitude: number) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;

/** Why an area cannot be a geofence; undefined if it can. */
export function shapeFault(shape: GeofenceShape): ShapeFault | undefined {
  if (shape.kind === 'circle') {
    if (!isPlace(shape.longitude, shape.latitude)) return 'outside';
    return shape.radius >= MIN_RADIUS && shape.radius <= MAX_RADIUS ? undefined : 'radius';
  }
  const { rings } = shape;
  if (cornersOf(shape) > MAX_CORNERS) return 'too_many_corners';
  if (rings.length === 0 || rings.some((ring) => new Set(ring.map(String)).size < 3)) return 'corners';
  if (rings.some((ring) => String(ring[0]) !== String(ring.at(-1)))) return 'open';
  if (rings.some((ring) => ring.some(([longitude, latitude]) => !isPlace(longitude, latitude)))) return 'outside';
  const edges = rings.flatMap(edgesOf);
  if (edges.some(([a, b]) => Math.abs(a[0] - b[0]) > 180)) return 'date_line';
  return crosses(edges) ? 'crosses_itself' : undefined;
}

type Edge = readonly [a: Corner, b: Corner];

/** The edges of a ring; a corner that is written twice in a row has none of its own. */
function edgesOf(ring: readonly Corner[]): Edge[] {
  return ring.slice(1).flatMap((b, index) => {
    const a = ring[index]!;
    return a[0] === b[0] && a[1] === b[1] ? [] : [[a, b] as const];
  });
}

/** Twice the area of the triangle; its sign is the side of the line on which the third corner is. */
const side = (a: Corner, b: Corner, c: Corner) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const same = (a: Corner, b: Corner) => a[0] === b[0] && a[1] === b[1];
/** Whether a corner on the line through an edge is on the edge. */
const isOn = ([a, b]: Edge, c: Corner) =>
  Math.min(a[0], b[0]) <= c[0] && c[0] <= Math.max(a[0], b[0]) && Math.min(a[1], b[1]) <= c[1] && c[1] <= Math.max(a[1], b[1]);

/** Whether two edges meet anywhere but at a common corner. */
function meet(one: Edge, other: Edge): boolean {
  const [[a, b], [c, d]] = [one, other];
  const [s1, s2, s3, s4] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (s1 * s2 < 0 && s3 * s4 < 0) return true;
  const touches = (value: number, edge: Edge, point: Corner) =>
    value === 0 && isOn(edge, point) && !same(point, edge[0]) && !same(point, edge[1]);
  return touches(s1, one, c) || touches(s2, one, d) || touches(s3, other, a) || touches(s4, other, b);
}

function crosses(edges: readonly Edge[]): boolean {
  // From west to east: an edge is compared only with those that begin before it ends.
  const sorted = edges
    .map((edge) => {
      const [[ax, ay], [bx, by]] = edge;
      return { edge, west: Math.min(ax, bx), east: Math.max(ax, bx), south: Math.min(ay, by), north: Math.max(ay, by) };
    })
    .toSorted((a, b) => a.west - b.west);
  for (let first = 0; first < sorted.length; first += 1) {
    const { edge, east, south, north } = sorted[first]!;
    for (let next = first + 1; next < sorted.length && sorted[next]!.west <= east; next += 1) {
      const other = sorted[next]!;
      // One north of the other: most of the edges of a zigzag.
      if (other.south <= north && other.north >= south && meet(edge, other.edge)) return true;
    }
  }
  return false;
}

/** Rings of a polygon grouped as GeoJSON has them: for each part its outer ring and its holes. */
export function partsOf(rings: readonly Corner[][]): Corner[][][] {
  const around = rings.map((ring) => rings.filter((other) => other !== ring && surrounds(other, ring)));
  const outer = rings.filter((_, index) => around[index]!.length % 2 === 0);
  return outer.map((ring) => {
    const depth = around[rings.indexOf(ring)]!.length;
    const holes = rings.filter((_, index) => around[index]!.length === depth + 1 && around[index]!.includes(ring));
    return [ring, ...holes];
  });
}

/** Whether a ring is inside of another. Their edges do not meet, so one corner that is not on both decides it. */
function surrounds(outer: readonly Corner[], ring: readonly Corner[]): boolean {
  const edges = edgesOf(outer);
  const own = ring.find((corner) => !edges.some(([a, b]) => same(a, corner) || same(b, corner)));
  if (own === undefined) return false;
  const [x, y] = own;
  const crossed = edges.filter(([a, b]) => a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]);
  return crossed.length % 2 === 1;
}
