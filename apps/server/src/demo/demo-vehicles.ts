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

export interface DemoConfig {
  readonly name: string;
  readonly note: string;
  readonly lines: readonly string[];
}

/** Network codes and numbering of the carriers of the demo's SIMs; ICCID prefixes are E.118 issuer numbers. */
export const carriers = {
  Verizon: { mcc: '311', mnc: '480', iccid: '891480' },
  'AT&T': { mcc: '310', mnc: '410', iccid: '890141' },
  'T-Mobile': { mcc: '310', mnc: '260', iccid: '890126' },
  FirstNet: { mcc: '313', mnc: '100', iccid: '890131' },
  'US Cellular': { mcc: '311', mnc: '580', iccid: '890158' },
} as const;

export type Carrier = keyof typeof carriers;

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

export const lakeshore: readonly Row[] = [
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

export const harbor: readonly Row[] = [
  ['Medic 3', 'Ambulances', 'FirstNet', year],
  ['Medic 7', 'Ambulances', 'FirstNet', year, 'Second antenna on order', { offEverySeconds: 140, offSeconds: 55 }],
  ['Medic 9', 'Ambulances', 'FirstNet', [-350, 14]],
  ['Medic 12', 'Ambulances', 'Verizon', year],
  ['Engine 21', 'Fire', 'FirstNet', year],
  ['Ladder 5', 'Fire', 'AT&T', year],
  ['Command 1', 'default', 'FirstNet', [10, 375], 'Starts service next week'],
];

export const prairie: readonly Row[] = [
  ['Truck 501', 'Long haul', 'T-Mobile', year],
  ['Truck 507', 'Long haul', 'T-Mobile', year, '', { offEverySeconds: 120, offSeconds: 35 }],
  ['Truck 512', 'Long haul', 'Verizon', [-360, 3]],
  ['Truck 530', 'Long haul', 'AT&T', year],
  ['Van 14', 'City vans', 'T-Mobile', year],
  ['Van 22', 'City vans', 'US Cellular', [-380, -12], 'Renewal requested'],
];

/** Contents in the format of our routers: one `key = value` per line. */
export function configOf(name: string, note: string, lan: string, ssid: string, more: readonly string[] = []): DemoConfig {
  return { name, note, lines: [`# ${note}`, `lan.address = ${lan}`, `wifi.ssid = ${ssid}`, ...more] };
}

export function vehiclesOf(rows: readonly Row[], first: number, routes: readonly string[]): DemoVehicle[] {
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
