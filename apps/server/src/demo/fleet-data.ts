import { vehiclesOf, configOf, type DemoVehicle, type DemoConfig, lakeshore, harbor, prairie } from './demo-vehicles.ts';

// The data of the demo: one main account, three organizations, 24 claimed routers and 12 in stock. Everything is computed from
// fixed seeds, so that every first start of the demo is the same.

export interface DemoFirmware {
  readonly version: string;
  /** Device model. */
  readonly profile: string;
  readonly note: string;
  readonly kilobytes: number;
}

export interface DemoOrganization {
  readonly name: string;
  readonly phone: string;
  readonly address: string;
  readonly contact: { readonly email: string; readonly name: string };
  readonly users: readonly { readonly email: string; readonly name: string; readonly role: 'admin' | 'user' }[];
  readonly groups: readonly { readonly name: string; readonly description: string }[];
  readonly configs: readonly DemoConfig[];
  readonly vehicles: readonly DemoVehicle[];
  /** GeoJSON. */
  readonly geofences?: object;
  /** Its alerts are also sent to the receiver of the demo. */
  readonly hasReceiver?: boolean;
}

export const demoPassword = 'highline-demo';
export const demoMain = { name: 'Meridian Connect', email: 'main@highline.demo', person: 'Mara Lindqvist' } as const;

/**
 * The carrier that is away for some minutes now and then: five vehicles of Lakeshore Transit lose their coverage together. None of them loses power by
 * itself: one that was off when the carrier went would be lost earlier than the others, in a message of its own.
 */
export const demoOutage = { carrier: 'US Cellular', firstSeconds: 300, everySeconds: 7_200, seconds: 300 } as const;

/** A vehicle that is in use for some minutes every two hours: its router is off, and no fault of anything. */
export const demoParked = { vehicle: 'Bus 2098', firstSeconds: 90, everySeconds: 7_200, seconds: 6_600 } as const;

/** Vehicles with something about their networks to look at. */
export const demoNetworks = {
  withoutWifi: 'Bus 2117',
  withSatellite: ['Bus 2121', 'Command 1', 'Truck 501'] as readonly string[],
  failsOver: 'Bus 2121',
  firstSeconds: 120,
  everySeconds: 3_600,
  seconds: 600,
} as const;

/** A vehicle whose satellite receiver failed: only the cell that serves it says where it is. */
export const demoWithoutFix = 'Rail 08';

/** Vehicles that measured their speed on their rounds. */
export const demoSpeedTests: readonly string[] = ['Bus 2104', 'Bus 2117', 'Bus 2121'];

/** In the order of the vehicles above. */
const chicago = [
  'lake-shore', 'western-avenue', 'ashland-avenue', 'airport', 'airport-local', 'airport', 'halsted-street', 'red-line', 'brown-line', 'foster-avenue',
  'west-side',
]; // prettier-ignore

/** Where the bus of Western Avenue is parked, and the plow of Foster Avenue, where the airport lines turn, and what most lines cross. */
const lakeshoreAreas = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'North depot', radius: 500 },
      geometry: { type: 'Point', coordinates: [-87.6861, 41.9763] },
    },
    {
      type: 'Feature',
      properties: { name: 'Airport', radius: 1_200 },
      geometry: { type: 'Point', coordinates: [-87.9042, 41.9786] },
    },
    {
      type: 'Feature',
      properties: { name: 'Downtown' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [[-87.6395, 41.8755], [-87.624, 41.8755], [-87.624, 41.887], [-87.6395, 41.887], [-87.6395, 41.8755]],
        ],
      },
    },
  ],
}; // prettier-ignore

/** One that the fleet already runs, and a newer one for each model. */
export const demoFirmware: readonly DemoFirmware[] = [
  {
    version: '2.8.1',
    profile: 'HL-R520 5G',
    note: 'Security fixes of the spring.\nRouters return to the better of two carriers after a tunnel.',
    kilobytes: 1_420,
  },
  {
    version: '2.9.0',
    profile: 'HL-R320',
    note: 'Fewer reconnects at the edge of coverage.\nTime from ignition to first connection shortened by a third.',
    kilobytes: 380,
  },
  {
    version: '2.9.0',
    profile: 'HL-R520 5G',
    note: 'Fewer reconnects at the edge of coverage.\nStandalone 5G on bands n71 and n77.\nModem heat is reported as a value of its own.',
    kilobytes: 1_870,
  },
];

export const demoOrganizations: readonly DemoOrganization[] = [
  {
    name: 'Lakeshore Transit',
    phone: '+1 312 555 0142',
    address: '1400 Harbor Avenue, Chicago, IL 60611',
    contact: { email: 'admin@highline.demo', name: 'Dana Alvarez' },
    users: [
      { email: 'admin@highline.demo', name: 'Dana Alvarez', role: 'admin' },
      { email: 'user@highline.demo', name: 'Robin Chen', role: 'user' },
      { email: 'dispatch@highline.demo', name: 'Night dispatch', role: 'user' },
    ],
    groups: [
      { name: 'North depot', description: 'Buses parked at Foster Street' },
      { name: 'Airport line', description: 'Articulated buses of line 150' },
      { name: 'Light rail', description: '' },
    ],
    configs: [
      configOf('north-depot.cfg', 'Yard Wi-Fi at Foster Street', '192.168.50.1/24', 'LT-Yard', ['wifi.key = foster-street-yard']),
      configOf('airport-line.cfg', 'Passenger Wi-Fi of line 150', '192.168.60.1/24', 'Line 150 free Wi-Fi', [
        'wifi.isolate = true',
      ]),
    ],
    vehicles: vehiclesOf(lakeshore, 0, chicago),
    geofences: lakeshoreAreas,
    hasReceiver: true,
  },
  {
    name: 'Harbor County EMS',
    phone: '+1 206 555 0177',
    address: '88 Pier Road, Seattle, WA 98101',
    contact: { email: 'ems.admin@highline.demo', name: 'Priya Natarajan' },
    users: [{ email: 'ems.admin@highline.demo', name: 'Priya Natarajan', role: 'admin' }],
    groups: [
      { name: 'Ambulances', description: 'Must stay reachable at all times' },
      { name: 'Fire', description: '' },
    ],
    configs: [
      configOf('ambulances.cfg', 'Monitors and tablets in the patient compartment', '10.20.1.1/24', 'HC-Medic', [
        'wifi.key = medic-on-call',
      ]),
      configOf('fire.cfg', 'Mobile data terminals', '10.20.2.1/24', 'HC-Fire', ['wifi.key = ladder-and-engine']),
    ],
    vehicles: vehiclesOf(harbor, lakeshore.length, ['harbor', 'hill']),
  },
  {
    name: 'Prairie Freight',
    phone: '+1 402 555 0119',
    address: '2701 Depot Street, Omaha, NE 68102',
    contact: { email: 'freight.admin@highline.demo', name: 'Tomás Ibarra' },
    users: [{ email: 'freight.admin@highline.demo', name: 'Tomás Ibarra', role: 'admin' }],
    groups: [
      { name: 'Long haul', description: '' },
      { name: 'City vans', description: 'Same-day deliveries' },
    ],
    configs: [
      configOf('long-haul.cfg', 'Electronic logbook and trailer sensors', '172.16.4.1/24', 'PF-Cab', [
        'wifi.key = nine-hundred-miles',
      ]),
      configOf('city-vans.cfg', 'Hand scanners of same-day deliveries', '172.16.8.1/24', 'PF-Van', [
        'wifi.key = by-five-o-clock',
      ]),
    ],
    vehicles: vehiclesOf(prairie, lakeshore.length + harbor.length, ['interstate', 'dodge']),
  },
];
