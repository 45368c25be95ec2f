import type { DataModel } from './data-model.ts';
import { hidden, object, readOnly, readWrite, type ObjectDefinition } from './definition.ts';

const alias = { Alias: readWrite.string() };
const byAlias = { uniqueKeys: [['Alias']] };
const interfaceParameters = {
  ...alias,
  Enable: readWrite.boolean('true'),
  Status: readOnly.string('Up'),
  Name: readOnly.string(),
};
const stats = { BytesSent: readOnly.unsignedInt(), BytesReceived: readOnly.unsignedInt() };

/** Interfaces, Wi-Fi, DHCP, DNS and hosts of TR-181 as a plain router has them: a modem, a WAN port, a LAN port and one radio. */
export const networkObjects: Readonly<Record<string, ObjectDefinition>> = {
  'Device.IP.Interface.{i}.': object({
    parameters: { ...interfaceParameters, LowerLayers: readWrite.string() },
    ...byAlias,
  }),
  'Device.IP.Interface.{i}.IPv4Address.{i}.': object({ parameters: { ...alias, IPAddress: readOnly.string() }, ...byAlias }),
  'Device.IP.Interface.{i}.Stats.': object({ parameters: stats }),
  'Device.Ethernet.': object(),
  'Device.Ethernet.Interface.{i}.': object({
    parameters: { ...interfaceParameters, Upstream: readOnly.boolean() },
    ...byAlias,
  }),
  'Device.Ethernet.Link.{i}.': object({ parameters: { ...interfaceParameters, LowerLayers: readWrite.string() }, ...byAlias }),
  'Device.Routing.': object(),
  'Device.Routing.Router.{i}.': object({ parameters: { ...alias, Enable: readWrite.boolean('true') }, ...byAlias }),
  'Device.Routing.Router.{i}.IPv4Forwarding.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean('true'),
      Status: readOnly.string('Enabled'),
      DestIPAddress: readWrite.string(),
      Interface: readWrite.string(),
      ForwardingMetric: readWrite.int('-1'),
    },
    ...byAlias,
  }),
  'Device.WiFi.': object(),
  'Device.WiFi.Radio.{i}.': object({
    parameters: {
      ...interfaceParameters,
      OperatingFrequencyBand: readWrite.string('5GHz'),
      Channel: readWrite.unsignedInt('44'),
    },
    ...byAlias,
  }),
  'Device.WiFi.SSID.{i}.': object({
    parameters: {
      ...interfaceParameters,
      LowerLayers: readWrite.string(),
      SSID: readWrite.string('', (value) => Buffer.byteLength(value) <= 32),
    },
    ...byAlias,
  }),
  'Device.WiFi.AccessPoint.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean('true'),
      SSIDReference: readWrite.string(),
      AssociatedDeviceNumberOfEntries: readOnly.unsignedInt(),
    },
    ...byAlias,
  }),
  'Device.WiFi.AccessPoint.{i}.Security.': object({
    parameters: { KeyPassphrase: hidden((value) => value.length >= 8 && value.length <= 63) },
  }),
  'Device.WiFi.AccessPoint.{i}.AssociatedDevice.{i}.': object({
    parameters: { MACAddress: readOnly.string(), Active: readOnly.boolean('true'), SignalStrength: readOnly.int('-61') },
    uniqueKeys: [['MACAddress']],
  }),
  'Device.Hosts.': object({ parameters: { HostNumberOfEntries: readOnly.unsignedInt() } }),
  'Device.Hosts.Host.{i}.': object({
    parameters: {
      ...alias,
      PhysAddress: readOnly.string(),
      IPAddress: readOnly.string(),
      HostName: readOnly.string(),
      Active: readOnly.boolean('true'),
      Layer1Interface: readOnly.string(),
    },
    ...byAlias,
  }),
  'Device.Hosts.Host.{i}.WANStats.': object({ parameters: stats }),
  'Device.DHCPv4.': object(),
  'Device.DHCPv4.Server.': object({ parameters: { Enable: readWrite.boolean('true') } }),
  'Device.DHCPv4.Server.Pool.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean('true'),
      Interface: readOnly.string('Device.IP.Interface.1'),
      MinAddress: readWrite.string('10.0.0.10'),
      MaxAddress: readWrite.string('10.0.0.99'),
      ClientNumberOfEntries: readOnly.unsignedInt('2'),
    },
    ...byAlias,
  }),
  'Device.NAT.': object({ parameters: { PortMappingNumberOfEntries: readOnly.unsignedInt() } }),
  'Device.NAT.PortMapping.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean(),
      Status: readOnly.string('Disabled'),
      ExternalPort: readWrite.unsignedInt('0', (value) => Number(value) <= 65_535),
      Protocol: readWrite.string('', (value) => ['TCP', 'UDP', ''].includes(value)),
      InternalClient: readWrite.string(),
      InternalPort: readWrite.unsignedInt('0', (value) => Number(value) <= 65_535),
    },
    uniqueKeys: [['Alias'], ['ExternalPort', 'Protocol']],
    isCreatable: true,
  }),
  'Device.DNS.Client.': object({ parameters: { Enable: readWrite.boolean('true') } }),
  'Device.DNS.Client.Server.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean('true'),
      Status: readOnly.string('Enabled'),
      DNSServer: readWrite.string(),
    },
    ...byAlias,
  }),
};

const STATIONS = 'Device.WiFi.AccessPoint.1.AssociatedDevice.';

/** A vehicle's networks: the WAN port comes before the modem, and a phone uses the Wi-Fi. */
export function addNetworks(model: DataModel): void {
  const add = (table: string, values: Readonly<Record<string, string>>) => {
    const path = model.create(table);
    const number = /(\d+)\.$/u.exec(path)?.[1];
    const all = table === STATIONS ? values : { Alias: `cpe-${number}`, ...values };
    for (const [name, value] of Object.entries(all)) model.write(path + name, value);
  };
  add('Device.Ethernet.Interface.', { Name: 'port1' });
  add('Device.Ethernet.Interface.', { Name: 'port2', Upstream: 'true' });
  add('Device.Ethernet.Link.', { Name: 'link2', LowerLayers: 'Device.Ethernet.Interface.2' });
  add('Device.IP.Interface.', { Name: 'lan', LowerLayers: 'Device.Ethernet.Interface.1' });
  add('Device.IP.Interface.', { Name: 'depot', LowerLayers: 'Device.Ethernet.Link.1' });
  add('Device.IP.Interface.', { Name: 'mobile', LowerLayers: 'Device.Cellular.Interface.1' });
  add('Device.IP.Interface.3.IPv4Address.', { IPAddress: '10.81.2.7' });
  add('Device.Routing.Router.', {});
  add('Device.Routing.Router.1.IPv4Forwarding.', { Interface: 'Device.IP.Interface.2', ForwardingMetric: '1' });
  add('Device.Routing.Router.1.IPv4Forwarding.', { Interface: 'Device.IP.Interface.3', ForwardingMetric: '2' });
  add('Device.WiFi.Radio.', { Name: 'ath0' });
  add('Device.WiFi.SSID.', { Name: 'ath0.1', SSID: 'Guest', LowerLayers: 'Device.WiFi.Radio.1' });
  add('Device.WiFi.AccessPoint.', { SSIDReference: 'Device.WiFi.SSID.1', AssociatedDeviceNumberOfEntries: '1' });
  add(STATIONS, { MACAddress: '5a:11:22:33:44:55' });
  const phone = { PhysAddress: '5a:11:22:33:44:55', IPAddress: '10.0.0.12', HostName: 'phone' };
  add('Device.Hosts.Host.', { ...phone, Layer1Interface: 'Device.WiFi.SSID.1' });
  model.write('Device.Hosts.HostNumberOfEntries', '1');
  add('Device.DHCPv4.Server.Pool.', {});
  add('Device.DNS.Client.Server.', { DNSServer: '198.51.100.53' });
}

const SSIDS = 'Device.WiFi.SSID.';
const ACCESS_POINTS = 'Device.WiFi.AccessPoint.';
const MAPPINGS = 'Device.NAT.PortMapping.';

/** Give each SSID and port mapping another number; what refers to it follows. */
export function renumberNetworks(model: DataModel): void {
  for (const table of [SSIDS, MAPPINGS])
    for (const path of model.instances(table)) {
      const values = [...model.parametersOf(path)];
      const moved = model.create(table);
      model.remove(path);
      for (const [name, value] of values) model.write(moved + name, value);
      for (const point of model.instances(ACCESS_POINTS))
        if (`${model.value(`${point}SSIDReference`)}.` === path) model.write(`${point}SSIDReference`, moved.slice(0, -1));
    }
}

/** What is off is down, and an interface above it too. */
export function linkStates(model: DataModel): void {
  model.live.set('Device.NAT.PortMappingNumberOfEntries', () => String(model.instances(MAPPINGS).length));
  const isOn = (path: string) => model.value(`${path}Enable`) !== 'false';
  const whileOn = (path: string, below?: string) =>
    model.live.set(`${path}Status`, (stored = '') => {
      if (!isOn(path)) return 'Down';
      return below !== undefined && model.value(`${below}Status`) !== 'Up' ? 'LowerLayerDown' : stored;
    });
  whileOn('Device.WiFi.Radio.1.');
  whileOn('Device.WiFi.SSID.1.', 'Device.WiFi.Radio.1.');
}
