import { describe, expect, test } from 'vitest';
import { respond } from '../../../testing/responses.ts';
import { readLans, readUplinks, uplinkPaths } from './uplinks.ts';

const modem = { 'Device.Cellular.Interface.1.Name': 'wwan0', 'Device.Cellular.Interface.1.Status': 'Up' };
const IP = 'Device.IP.Interface.';
const ROUTES = 'Device.Routing.Router.1.IPv4Forwarding.';
const network = (number: number, name: string, below: string, status = 'Up') => ({
  [`${IP}${number}.Name`]: name,
  [`${IP}${number}.Status`]: status,
  [`${IP}${number}.LowerLayers`]: below,
});
const port = (number: number, upstream: boolean) => ({
  [`Device.Ethernet.Interface.${number}.Upstream`]: String(upstream),
  [`Device.Ethernet.Interface.${number}.Status`]: 'Up',
});
const route = (number: number, of: number, metric: number) => ({
  [`${ROUTES}${number}.DestIPAddress`]: '0.0.0.0',
  [`${ROUTES}${number}.Interface`]: `${IP}${of}`,
  [`${ROUTES}${number}.ForwardingMetric`]: String(metric),
});
const read = (values: Readonly<Record<string, string>>) => readUplinks(respond(values, uplinkPaths));
const brief = (values: Readonly<Record<string, string>>) =>
  read(values)?.map(({ name, kind, up, carries }) => [name, kind, up ? 'up' : 'down', ...(carries ? ['carries'] : [])].join(' '));

const vehicle = {
  ...modem,
  ...network(1, 'wwan0', 'Device.Cellular.Interface.1'),
  ...network(2, 'br-lan', 'Device.Ethernet.Interface.1'),
  ...network(3, 'Starlink', 'Device.Ethernet.Link.4.'),
  'Device.Ethernet.Link.4.LowerLayers': 'Device.Ethernet.Interface.2',
  ...port(1, false),
  ...port(2, true),
  ...route(1, 1, 20),
  ...route(2, 3, 10),
};

describe('LIV-10-partial the uplinks of a router', () => {
  test('are its modems and the ports that lead upstream, the preferred one first, and the first that is up carries the traffic', () => {
    expect(brief(vehicle)).toEqual(['Starlink satellite up carries', 'wwan0 cellular up']);
    expect(brief({ ...vehicle, [`${IP}3.Status`]: 'Down' })).toEqual(['Starlink satellite down', 'wwan0 cellular up carries']);
    expect(brief({ ...vehicle, [`${IP}3.Name`]: 'wan' })).toEqual(['wan ethernet up carries', 'wwan0 cellular up']);
  });

  test('are found through a VLAN', () => {
    const onVlan = {
      'Device.Ethernet.VLANTermination.1.LowerLayers': 'Device.Ethernet.Link.4',
      ...network(3, 'wan.7', 'Device.Ethernet.VLANTermination.1'),
    };
    expect(brief({ ...vehicle, ...onVlan })).toEqual(['wan.7 ethernet up carries', 'wwan0 cellular up']);
  });

  test('are also a Wi-Fi that leads upstream, by what is read for uplinks alone', () => {
    expect(uplinkPaths).toEqual(expect.arrayContaining(['Device.WiFi.SSID.*.LowerLayers', 'Device.WiFi.SSID.*.Upstream']));
    const wifi = { ...network(4, 'depot', 'Device.WiFi.SSID.1'), 'Device.WiFi.SSID.1.Upstream': 'true', ...route(3, 4, 5) };
    expect(brief({ ...vehicle, ...wifi })?.[0]).toBe('depot wifi up carries');
  });

  test('do not carry the traffic while the router has taken their default routes out of use', () => {
    const status = (number: number, text: string) => ({ [`${ROUTES}${number}.Status`]: text });
    const brought = (text: string) => brief({ ...vehicle, ...status(1, 'Enabled'), ...status(2, text) });
    expect(brought('Error')).toEqual(['Starlink satellite up', 'wwan0 cellular up carries']);
    expect(brought('Disabled')).toEqual(['Starlink satellite up', 'wwan0 cellular up carries']);
    expect(brought('Enabled')).toEqual(['Starlink satellite up carries', 'wwan0 cellular up']);
    expect(brief({ ...vehicle, ...route(3, 3, 15), ...status(2, 'Error'), ...status(3, 'Enabled') })).toEqual([
      'Starlink satellite up carries',
      'wwan0 cellular up',
    ]);
  });

  test('are the modems of a router without network interfaces', () => {
    expect(brief(modem)).toEqual(['wwan0 cellular up carries']);
    expect(brief({})).toEqual([]);
    expect(readUplinks(respond(modem, []))).toBeUndefined();
  });

  test('hold no hostile text, no endless layers and no numbers that are none', () => {
    const found = read({
      ...vehicle,
      [`${IP}1.Name`]: `\u202E<b>wwan\u0000${'x'.repeat(500)}`,
      [`${IP}1.Stats.BytesSent`]: '-3',
      [`${IP}1.Stats.BytesReceived`]: '99999999999999999999',
      [`${IP}1.IPv4Address.1.IPAddress`]: '10.2.3.4',
      'Device.Ethernet.Link.4.LowerLayers': 'Device.Ethernet.Link.4',
    });
    expect(found).toHaveLength(1);
    expect(found![0]).toMatchObject({ sent: null, received: Number.MAX_SAFE_INTEGER, addresses: ['10.2.3.4'] });
    expect(found![0]!.name).toMatch(/^<b>wwan x{20}/u);
    expect(found![0]!.name.length).toBeLessThanOrEqual(64);
  });
});

test('LIV-08-partial the networks of a vehicle are those of ports, Wi-Fi and bridges that lead nowhere else', () => {
  const address = (number: number, text: string, mask = '255.255.255.0') => ({
    [`${IP}${number}.IPv4Address.1.IPAddress`]: text,
    [`${IP}${number}.IPv4Address.1.SubnetMask`]: mask,
  });
  const values = {
    ...vehicle,
    ...address(1, '10.2.3.4'),
    ...address(2, '192.168.1.1'),
    ...address(3, '100.64.1.2'),
    ...network(4, 'bridge', 'Device.Bridging.Bridge.1.Port.1'),
    ...address(4, '172.16.0.1', '255.255.0.0'),
    ...network(5, 'vpn', ''),
    ...address(5, '10.9.0.2'),
    // Its port does not say that it leads upstream, its route does.
    ...network(6, 'wan2', 'Device.Ethernet.Interface.3'),
    ...address(6, '198.51.100.2'),
    ...route(3, 6, 5),
    // Without a mask it is no network.
    ...network(7, 'old', 'Device.Ethernet.Interface.1'),
    [`${IP}7.IPv4Address.1.IPAddress`]: '192.168.9.1',
  };
  expect(readLans(respond(values, uplinkPaths))).toEqual(['192.168.1.1/255.255.255.0', '172.16.0.1/255.255.0.0']);
});
