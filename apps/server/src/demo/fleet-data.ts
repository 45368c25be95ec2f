// The data of the demo: one main account, three organizations, 24 claimed routers and 12 in stock. Everything is computed from
// fixed seeds, so that every first start of the demo is the same.

/** A day relative to the first start of the demo. */
export type DayOffset = number;

export interface DemoVehicle {
  readonly serial: string;
  readonly mac: string;
  readonly model: string;
  readonly vehicle: string;
  readonly note: string;
  readonly group: string;
  readonly carrier: Carrier;
  /** First and last day of the subscription, relative to today; null = never subscribed. */
  readonly subscription: readonly [DayOffset, DayOffset] | null;
  readonly firmware: string;
  readonly config: string;
  /** The way it drives, as the router agent names it. */
  readonly route: string;
  /** Disconnects at this interval, for this duration. */
  readonly flaky?: { readonly offEverySeconds: number; readonly offSeconds: number };
}

export interface DemoFirmware {
  readonly version: string;
  /** Device model. */
  readonly profile: string;
  readonly note: string;
  readonly kilobytes: number;
}

export interface DemoConfig {
  readonly name: string;
  readonly note: string;
  readonly lines: readonly string[];
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
  readonly hasWebhook?: boolean;
}

export const demoPassword = 'highline-demo';
export const demoMain = { name: 'Meridian Connect', email: 'main@highline.demo', person: 'Mara Lindqvist' } as const;

/** Network codes and numbering of the carriers of the demo's SIMs; ICCID prefixes are E.118 issuer numbers. */
export const carriers = {
  Verizon: { mcc: '311', mnc: '480', iccid: '891480' },
  'AT&T': { mcc: '310', mnc: '410', iccid: '890141' },
  'T-Mobile': { mcc: '310', mnc: '260', iccid: '890126' },
  FirstNet: { mcc: '313', mnc: '100', iccid: '890131' },
  'US Cellular': { mcc: '311', mnc: '580', iccid: '890158' },
} as const;
export type Carrier = keyof typeof carriers;

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

const oui = '00B2D0';

function serialOf(index: number): string {
  return `HL26A${String(10_432 + index * 37)}`;
}

function macOf(index: number): string {
  return `${oui}${(0x56c2_27 + index * 0x11).toString(16).toUpperCase().padStart(6, '0').slice(-6)}`;
}

type Row = readonly [
  vehicle: string,
  group: string,
  carrier: Carrier,
  subscription: DemoVehicle['subscription'],
  note?: string,
  flaky?: DemoVehicle['flaky'],
];

const year: DemoVehicle['subscription'] = [-140, 225];

const lakeshore: readonly Row[] = [
  ['Bus 2104', 'North depot', 'Verizon', year, 'Roof antenna replaced 10/02'],
  ['Bus 2117', 'North depot', 'AT&T', year],
  ['Bus 2121', 'North depot', 'T-Mobile', year, 'Spare SIM in glove box'],
  ['Bus 2140', 'Airport line', 'US Cellular', [-355, 9]],
  ['Bus 2166', 'Airport line', 'AT&T', year, '', { offEverySeconds: 95, offSeconds: 40 }],
  ['Bus 2075', 'Airport line', 'US Cellular', year],
  ['Bus 2098', 'North depot', 'AT&T', [-341, 24]],
  ['Rail 08', 'Light rail', 'US Cellular', year, 'Cab 2, behind the operator seat'],
  ['Rail 11', 'Light rail', 'US Cellular', [-400, -35]],
  ['Plow 12', 'default', 'AT&T', year],
  ['Supervisor 4', 'default', 'US Cellular', null],
];

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

const harbor: readonly Row[] = [
  ['Medic 3', 'Ambulances', 'FirstNet', year],
  ['Medic 7', 'Ambulances', 'FirstNet', year, 'Second antenna on order', { offEverySeconds: 140, offSeconds: 55 }],
  ['Medic 9', 'Ambulances', 'FirstNet', [-350, 14]],
  ['Medic 12', 'Ambulances', 'Verizon', year],
  ['Engine 21', 'Fire', 'FirstNet', year],
  ['Ladder 5', 'Fire', 'AT&T', year],
  ['Command 1', 'default', 'FirstNet', [10, 375], 'Starts service next week'],
];

const prairie: readonly Row[] = [
  ['Truck 501', 'Long haul', 'T-Mobile', year],
  ['Truck 507', 'Long haul', 'T-Mobile', year, '', { offEverySeconds: 120, offSeconds: 35 }],
  ['Truck 512', 'Long haul', 'Verizon', [-360, 3]],
  ['Truck 530', 'Long haul', 'AT&T', year],
  ['Van 14', 'City vans', 'T-Mobile', year],
  ['Van 22', 'City vans', 'US Cellular', [-380, -12], 'Renewal requested'],
];

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

/** Contents in the format of our routers: one `key = value` per line. */
function configOf(name: string, note: string, lan: string, ssid: string, more: readonly string[] = []): DemoConfig {
  return { name, note, lines: [`# ${note}`, `lan.address = ${lan}`, `wifi.ssid = ${ssid}`, ...more] };
}

function vehiclesOf(rows: readonly Row[], first: number, routes: readonly string[]): DemoVehicle[] {
  return rows.map(([vehicle, group, carrier, subscription, note, flaky], offset) => {
    const index = first + offset;
    // One model per group, so that every group can run one firmware.
    const rugged = group !== 'default' && group !== 'Light rail';
    return {
      serial: serialOf(index),
      mac: macOf(index),
      model: rugged ? 'HL-R520 5G' : 'HL-R320',
      vehicle,
      note: note ?? '',
      group,
      carrier,
      subscription,
      firmware: index % 5 === 4 ? '2.7.4' : '2.8.1',
      route: routes[offset % routes.length]!,
      config: group === 'default' ? '' : `${group.toLowerCase().replaceAll(' ', '-')}.cfg`,
      ...(flaky === undefined ? {} : { flaky }),
    };
  });
}

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
    hasWebhook: true,
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

/** Routers in stock: in the inventory, ready to be added by hand. */
export const demoStock: readonly {
  readonly serial: string;
  readonly mac: string;
  readonly model: string;
  readonly carrier: Carrier;
}[] = Array.from({ length: 12 }, (_, offset) => {
  const index = lakeshore.length + harbor.length + prairie.length + offset;
  const names = Object.keys(carriers) as Carrier[];
  return {
    serial: serialOf(index),
    mac: macOf(index),
    model: offset % 2 === 0 ? 'HL-R520 5G' : 'HL-R320',
    carrier: names[offset % names.length]!,
  };
});
