/** Latitude and longitude, degrees. */
export type Point = readonly [latitude: number, longitude: number];

export interface Street {
  readonly name: string;
  readonly kind: 'highway' | 'major_road';
  readonly points: readonly Point[];
}

// The main streets of the cities that the demo drives in, from their public grids. Coarse: right to about fifty metres.

const street = (name: string, points: readonly Point[]): Street => ({ name, kind: 'major_road', points });
const highway = (name: string, points: readonly Point[]): Street => ({ name, kind: 'highway', points });

/** Chicago: miles north and west of State and Madison Street; a mile has 800 numbers, nearly everywhere. */
const chicago = (north: number, west: number): Point => [41.88205 + north * 0.014494, -87.6278 - west * 0.019418];

/** Where the lake begins: miles north, and miles west of State Street. */
const SHORE = [[-9, -4], [-8, -3.4], [-6, -2.3], [-4, -1.3], [-3, -1], [-1, -0.55], [1, -0.6], [2, -0.1], [3, 0.25], [4, 0.55], [5, 0.75], [6.5, 1.05], [7.5, 1.3], [9.5, 1.8]] as const; // prettier-ignore

function shoreAt(north: number): number {
  const next = SHORE.findIndex(([at]) => at >= north);
  const [above, below] = [SHORE[Math.max(1, next)]!, SHORE[Math.max(1, next) - 1]!];
  return below[1] + ((above[1] - below[1]) * (north - below[0])) / (above[0] - below[0]);
}

const northToSouth = [
  ['State Street', 0, -9, 2], ['Michigan Avenue', -0.125, -9, 1.3], ['Martin Luther King Drive', -0.5, -9, -2.1], ['Halsted Street', 1, -9, 4.75],
  ['Racine Avenue', 1.5, -8, 5.5], ['Ashland Avenue', 2, -9, 7.1], ['Damen Avenue', 2.5, -9, 7.5], ['Western Avenue', 3, -9, 9.5],
  ['California Avenue', 3.5, -9, 9.5], ['Kedzie Avenue', 4, -9, 9.5], ['Central Park Avenue', 4.5, -9, 9.5], ['Pulaski Road', 5, -9, 9.5],
  ['Kostner Avenue', 5.5, -5, 9], ['Cicero Avenue', 6, -9, 9.5], ['Laramie Avenue', 6.5, -6, 7], ['Central Avenue', 7, -9, 9],
  ['Austin Avenue', 7.5, -3, 9], ['Narragansett Avenue', 8, -9, 7], ['Oak Park Avenue', 8.5, -9, 8], ['Harlem Avenue', 9, -9, 9.5],
] as const; // prettier-ignore

const eastToWest = [
  ['79th Street', -9, 9], ['71st Street', -8, 9], ['63rd Street', -7, 9], ['59th Street', -6.5, 9], ['Garfield Boulevard', -6, 3.5], ['51st Street', -5.5, 6],
  ['47th Street', -5, 9], ['43rd Street', -4.5, 6], ['Pershing Road', -4, 8], ['31st Street', -3, 8], ['Cermak Road', -2, 9.5], ['Roosevelt Road', -1, 9.5],
  ['Madison Street', 0, 9.5], ['Chicago Avenue', 1, 9], ['Division Street', 1.5, 9], ['North Avenue', 2, 10], ['Armitage Avenue', 2.5, 8],
  ['Fullerton Avenue', 3, 9.5], ['Diversey Avenue', 3.5, 9], ['Belmont Avenue', 4, 10], ['Addison Street', 4.5, 10], ['Irving Park Road', 5, 11],
  ['Montrose Avenue', 5.5, 10], ['Lawrence Avenue', 6, 11], ['Foster Avenue', 6.5, 11], ['Bryn Mawr Avenue', 7, 10], ['Peterson Avenue', 7.5, 6],
  ['Devon Avenue', 8, 10], ['Pratt Avenue', 8.5, 9], ['Touhy Avenue', 9, 11], ['Howard Street', 9.5, 9],
] as const; // prettier-ignore

const chicagoStreets: readonly Street[] = [
  ...northToSouth.map(([name, west, south, north]) => street(name, [chicago(south, west), chicago(north, west)])),
  ...eastToWest.map(([name, north, west]) => street(name, [chicago(north, shoreAt(north)), chicago(north, west)])),
  street('Milwaukee Avenue', [chicago(0.6, 0.8), chicago(1.5, 2), chicago(2.5, 3), chicago(3.25, 4), chicago(3.5, 4.4), chicago(5, 6), chicago(6, 6.6), chicago(7.5, 7.6), chicago(9, 9)]), // prettier-ignore
  street('Lincoln Avenue', [chicago(2.3, 0.3), chicago(3, 1), chicago(4, 2), chicago(5, 2.5), chicago(6, 3), chicago(7.5, 4.4), chicago(8.5, 4.7)]), // prettier-ignore
  street('Clark Street', [chicago(-1, 0.13), chicago(2, 0.2), chicago(3, 0.6), chicago(3.5, 0.85), chicago(4.5, 1.25), chicago(6.5, 1.75), chicago(7.1, 2), chicago(9.5, 2.15)]), // prettier-ignore
  street('Ogden Avenue', [chicago(0.2, 1.9), chicago(-1, 3), chicago(-2, 4.6), chicago(-3, 8)]),
  street('Archer Avenue', [chicago(-2.1, 0.3), chicago(-3, 2), chicago(-3.9, 3), chicago(-4.6, 4), chicago(-5.5, 5), chicago(-5.9, 6.1), chicago(-6.6, 8)]), // prettier-ignore
  street('Higgins Road', [chicago(6.3, 7), chicago(6.4, 8.5), chicago(7.1, 10.5)]),
  highway('Kennedy Expressway', [
    [41.8828, -87.6442], [41.8905, -87.6446], [41.8963, -87.6498], [41.9036, -87.6601], [41.9105, -87.6672], [41.9212, -87.6799], [41.9323, -87.6912],
    [41.9391, -87.7087], [41.9467, -87.7189], [41.9535, -87.7291], [41.9612, -87.7441], [41.9689, -87.7512], [41.9773, -87.7689], [41.9829, -87.7883],
    [41.984, -87.8071], [41.9838, -87.8386], [41.9832, -87.8621], [41.9806, -87.8803], [41.9786, -87.9042],
  ]), // prettier-ignore
  highway('Lake Shore Drive', [
    [41.9772, -87.6481], [41.9633, -87.6392], [41.9524, -87.6389], [41.9401, -87.6366], [41.9287, -87.6315], [41.9216, -87.6291], [41.9117, -87.6253],
    [41.9012, -87.6232], [41.8968, -87.6163], [41.8905, -87.6141], [41.8757, -87.6168], [41.8676, -87.6169], [41.851, -87.611], [41.8311, -87.6025],
  ]), // prettier-ignore
  highway('Dan Ryan Expressway', [
    [41.8828, -87.6442],
    [41.8535, -87.6465],
    [41.8385, -87.6305],
    [41.7735, -87.6253],
  ]),
];

/** Omaha: numbered streets from the river to the west. */
const omaha = (number: number) => -96.0238 + (72 - number) * 0.001575;
const named = (number: number) => `${number}${{ 1: 'st', 2: 'nd', 3: 'rd' }[number % 10] ?? 'th'} Street`;

const omahaStreets: readonly Street[] = [
  ...[16, 24, 30, 42, 50, 60, 72, 84, 90, 108, 120, 132, 144, 156].map((number) =>
    street(named(number), [
      [41.19, omaha(number)],
      [41.2925, omaha(number)],
    ]),
  ),
  ...([['Maple Street', 41.2906], ['Blondo Street', 41.2765], ['Pacific Street', 41.247], ['Center Street', 41.234], ['L Street', 41.2125], ['Q Street', 41.204], ['Harrison Street', 41.19]] as const).map(([name, latitude]) => street(name, [[latitude, omaha(13)], [latitude, omaha(156)]])), // prettier-ignore
  street('Dodge Street', [[41.2594, -95.9331], [41.2592, -95.9762], [41.2597, -96.0021], [41.2608, -96.0424], [41.2621, -96.0673], [41.2625, -96.0966], [41.2623, -96.1552]]), // prettier-ignore
  highway('Interstate 80', [
    [41.2337, -95.8967], [41.2354, -95.9252], [41.2293, -95.9434], [41.2259, -95.9602], [41.2235, -95.9911], [41.2206, -96.0236], [41.2189, -96.0432],
    [41.2086, -96.0671], [41.1986, -96.0873], [41.1852, -96.1109], [41.1641, -96.1421],
  ]), // prettier-ignore
];

const seattleStreets: readonly Street[] = [
  highway('Aurora Avenue North', [
    [47.5712, -122.3391], [47.5838, -122.3391], [47.5932, -122.3362], [47.5978, -122.3351], [47.6064, -122.3389], [47.6152, -122.3446], [47.6218, -122.3442],
    [47.6312, -122.3438], [47.6466, -122.3474], [47.6606, -122.3471],
  ]), // prettier-ignore
  highway('Interstate 5', [
    [47.57, -122.3202],
    [47.594, -122.3205],
    [47.606, -122.3297],
    [47.614, -122.3306],
    [47.625, -122.3289],
    [47.66, -122.3222],
  ]),
  street('Broadway', [
    [47.5985, -122.3209],
    [47.6253, -122.3211],
  ]),
  street('12th Avenue', [
    [47.59, -122.3168],
    [47.6253, -122.3168],
  ]),
  street('15th Avenue', [
    [47.5995, -122.3124],
    [47.6325, -122.3122],
  ]),
  street('23rd Avenue', [
    [47.575, -122.3023],
    [47.6405, -122.3022],
  ]),
  street('Rainier Avenue South', [
    [47.5995, -122.3166],
    [47.5712, -122.2945],
  ]),
  street('Yesler Way', [
    [47.6017, -122.336],
    [47.6015, -122.288],
  ]),
  street('Jackson Street', [
    [47.5992, -122.3345],
    [47.5992, -122.29],
  ]),
  street('Madison Street', [
    [47.6043, -122.3375],
    [47.6133, -122.3165],
    [47.625, -122.293],
  ]),
  street('Pike Street', [
    [47.609, -122.34],
    [47.6141, -122.3282],
    [47.6141, -122.316],
  ]),
  street('Denny Way', [
    [47.6185, -122.358],
    [47.6185, -122.312],
  ]),
  street('Mercer Street', [
    [47.6246, -122.358],
    [47.6246, -122.318],
  ]),
  street('Roy Street', [
    [47.6253, -122.358],
    [47.6253, -122.31],
  ]),
];

export const cities: readonly Street[] = [...chicagoStreets, ...omahaStreets, ...seattleStreets];
