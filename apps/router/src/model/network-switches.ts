/** Settings of the networks that a person at the router switches, with the rows that hold them and their values when off. */
export const networkSwitches = {
  radios: both('Device.WiFi.Radio.'),
  ssids: both('Device.WiFi.SSID.'),
  'access-points': both('Device.WiFi.AccessPoint.'),
  dhcp: [['Device.DHCPv4.Server.Pool.1.', { Enable: 'false' }]],
  // Off: a single address is left.
  'dhcp-addresses': [['Device.DHCPv4.Server.Pool.1.', { MaxAddress: '192.168.1.100' }]],
  dns: [['Device.DNS.Client.', { Enable: 'false' }]],
} as const satisfies Readonly<Record<string, readonly SwitchedRow[]>>;
export type NetworkSwitch = keyof typeof networkSwitches;

type SwitchedRow = readonly [path: string, off: Readonly<Record<string, string>>];

function both(table: string): readonly SwitchedRow[] {
  return [1, 2].map((instance) => [`${table}${instance}.`, { Enable: 'false' }]);
}
