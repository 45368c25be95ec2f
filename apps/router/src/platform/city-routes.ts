import { distanceKm, loopOf, type Point, type Route } from './route.ts';

// Streets and lines that simulated vehicles drive along, drawn by hand for the demo: each there and back. Coarse on purpose: a vehicle on a map is
// where such a vehicle could be.

type Drawn = {
  readonly points: readonly Point[];
  /** Indexes of the points between which the way is covered. */
  readonly tunnels?: readonly (readonly [number, number])[];
  readonly minutes?: Route['minutes'];
};

/** The street grid of Chicago: miles north and west of State and Madison Street. */
const chicago = (north: number, west: number): Point => [41.88205 + north * 0.014494, -87.6278 - west * 0.019418];

const kennedy: readonly Point[] = [
  [41.8828, -87.6442], [41.8868, -87.6441], [41.8905, -87.6446], [41.8963, -87.6498], [41.9036, -87.6601], [41.9105, -87.6672],
  [41.9212, -87.6799], [41.9323, -87.6912], [41.9391, -87.7087], [41.9467, -87.7189], [41.9535, -87.7291], [41.9612, -87.7441],
  [41.9689, -87.7512], [41.9773, -87.7689], [41.9829, -87.7883], [41.984, -87.8071], [41.9838, -87.8386], [41.9832, -87.8621],
  [41.9806, -87.8803], [41.9786, -87.9042],
]; // prettier-ignore

const lakeShore: readonly Point[] = [
  [41.9772, -87.6481], [41.9633, -87.6392], [41.9524, -87.6389], [41.9401, -87.6366], [41.9287, -87.6315], [41.9216, -87.6291],
  [41.9117, -87.6253], [41.9012, -87.6232], [41.8968, -87.6163], [41.8905, -87.6141], [41.8879, -87.6163], [41.8872, -87.6239],
  [41.8871, -87.6288], [41.8862, -87.6369], [41.8822, -87.6371], [41.8781, -87.6369], [41.8757, -87.6243], [41.8676, -87.6189],
]; // prettier-ignore

const red: readonly Point[] = [
  [41.9398, -87.6533], [41.9253, -87.6529], [41.9159, -87.6503], [41.9106, -87.6492], [41.9039, -87.6315], [41.8967, -87.6282],
  [41.8917, -87.6281], [41.8848, -87.6278], [41.8781, -87.6276], [41.874, -87.6275], [41.8674, -87.6266], [41.8532, -87.631],
  [41.8311, -87.6306],
]; // prettier-ignore

const brown: readonly Point[] = [
  [41.9679, -87.7131], [41.966, -87.7086], [41.9661, -87.6885], [41.9663, -87.679], [41.9544, -87.6749], [41.9437, -87.6709],
  [41.9439, -87.6636], [41.9398, -87.6533], [41.9253, -87.6529], [41.9182, -87.6526], [41.9104, -87.6387], [41.8967, -87.6359],
  [41.8889, -87.6339], [41.8827, -87.6338], [41.8768, -87.6337], [41.8768, -87.626], [41.8858, -87.6261], [41.8858, -87.6339],
]; // prettier-ignore

/** The tunnel of State Route 99 below the city. */
const harbor: readonly Point[] = [
  [47.5712, -122.3391], [47.5838, -122.3391], [47.5932, -122.3362], [47.5978, -122.3351], [47.6064, -122.3389], [47.6152, -122.3446],
  [47.6218, -122.3442], [47.6312, -122.3438], [47.6466, -122.3474], [47.6606, -122.3471],
]; // prettier-ignore

const hill: readonly Point[] = [
  [47.6015, -122.3295], [47.6056, -122.3262], [47.6093, -122.3208], [47.6133, -122.3208], [47.6187, -122.3209], [47.6253, -122.3211],
  [47.6253, -122.3122], [47.6187, -122.3122], [47.6133, -122.3122], [47.6089, -122.3026], [47.6015, -122.3024], [47.6015, -122.3132],
  [47.5992, -122.3201],
]; // prettier-ignore

const dodge: readonly Point[] = [
  [41.2594, -95.9331], [41.2594, -95.9409], [41.2593, -95.9572], [41.2592, -95.9762], [41.2597, -96.0021], [41.2601, -96.0238],
  [41.2608, -96.0424], [41.2621, -96.0673], [41.2625, -96.0966], [41.2621, -96.1225], [41.2623, -96.1552],
]; // prettier-ignore

const interstate: readonly Point[] = [
  [41.2337, -95.8967], [41.2354, -95.9252], [41.2293, -95.9434], [41.2259, -95.9602], [41.2235, -95.9911], [41.2206, -96.0236],
  [41.2189, -96.0432], [41.2086, -96.0671], [41.1986, -96.0873], [41.1852, -96.1109], [41.1641, -96.1421],
]; // prettier-ignore

const drawn = {
  'western-avenue': { points: [chicago(6.5, 3), chicago(5, 3), chicago(3, 3), chicago(2, 3), chicago(0, 3), chicago(-1, 3)] },
  // From where the bus of Western Avenue is parked, a mile to the east: it leaves every eight minutes.
  'foster-avenue': { points: [chicago(6.5, 3), chicago(6.5, 2.5), chicago(6.5, 2)], minutes: { drive: 5, parked: 3 } },
  'ashland-avenue': { points: [chicago(6.5, 2), chicago(4, 2), chicago(2, 2), chicago(0, 2), chicago(-1, 2), chicago(-2, 2)] },
  'halsted-street': { points: [chicago(4, 1), chicago(3, 1), chicago(2, 1), chicago(0, 1), chicago(-2, 1), chicago(-3.5, 1)] },
  // Lower Wacker Drive.
  'lake-shore': { points: lakeShore, tunnels: [[11, 14]] },
  // Hubbard's Cave.
  airport: { points: kennedy, tunnels: [[1, 2]] },
  'airport-local': {
    points: [chicago(6, 6.2), chicago(6, 7), chicago(6, 9), chicago(6.3, 10.1), [41.9738, -87.8622], [41.9786, -87.9042]],
  },
  // The State Street subway.
  'red-line': { points: red, tunnels: [[2, 10]] },
  'brown-line': { points: brown },
  'west-side': {
    points: [
      chicago(0, 2),
      chicago(0, 4),
      chicago(1, 4),
      chicago(1, 5),
      chicago(2, 5),
      chicago(2, 3),
      chicago(1, 3),
      chicago(1, 2),
    ],
  },
  harbor: { points: harbor, tunnels: [[3, 6]] },
  hill: { points: hill },
  dodge: { points: dodge },
  interstate: { points: interstate },
} as const satisfies Readonly<Record<string, Drawn>>;

export type CityRoute = keyof typeof drawn;
export const cityRoutes = Object.keys(drawn) as [CityRoute, ...CityRoute[]];

/** The way there and back, which is one drive. */
export function cityRoute(name: CityRoute): Route {
  const { points, tunnels = [], minutes }: Drawn = drawn[name];
  const route = loopOf([...points, ...points.slice(1, -1).toReversed()]);
  const kmAt = (index: number) => points.slice(1, index + 1).reduce((km, point, at) => km + distanceKm(points[at]!, point), 0);
  const there = tunnels.map(([from, to]) => [kmAt(from), kmAt(to)] as const);
  const back = there.map(([from, to]) => [route.lengthKm - to, route.lengthKm - from] as const);
  const way = { ...route, driveKm: route.lengthKm, tunnelsKm: [...there, ...back] };
  return minutes === undefined ? way : { ...way, minutes };
}
