import { standardCatalogue } from '@highline/contract';

/** Parameters of a vehicle that cut no one off: Wi-Fi, time, addresses, and eight forwarded ports. */
export function valuesOf(mark: string): Readonly<Record<string, string>> {
  const forwards = Array.from({ length: 8 }, (_, at): Readonly<Record<string, string>> => {
    const entry = `NAT.PortMapping[name=port${at}].`;
    const values = {
      ExternalPort: String(9_000 + at),
      Protocol: 'TCP',
      InternalClient: `192.168.1.${50 + at}`,
      InternalPort: '80',
      Enable: 'true',
    };
    return Object.fromEntries(Object.entries(values).map(([parameter, value]) => [entry + parameter, value]));
  });
  const wifi = ['passengers', 'staff'].flatMap((name) => [
    [`WiFi.SSID[name=${name}].Enable`, 'true'],
    [`WiFi.SSID[name=${name}].SSID`, `${name} ${mark} {{serial}}`.slice(0, 32)],
    [`WiFi.AccessPoint[ssid=${name}].Security.KeyPassphrase`, `passphrase of ${name} ${mark}`],
  ]);
  return Object.fromEntries(
    [
      ...wifi,
      ['WiFi.Radio[band=2.4GHz].Enable', 'true'],
      ['WiFi.Radio[band=2.4GHz].Channel', '6'],
      ['WiFi.Radio[band=5GHz].Enable', 'true'],
      ['WiFi.Radio[band=5GHz].Channel', '44'],
      ['Time.NTPServer1', `${mark}.time.example.com`],
      ['Time.NTPServer2', 'backup.time.example.com'],
      ['Time.LocalTimeZone', 'CET-1CEST,M3.5.0,M10.5.0/3'],
      ['DHCPv4.Server.Pool[name=lan].MinAddress', '192.168.1.100'],
      ['DHCPv4.Server.Pool[name=lan].MaxAddress', '192.168.1.199'],
      ['DHCPv4.Server.Pool[name=lan].LeaseTime', '3600'],
      ['DHCPv4.Server.Pool[name=lan].Enable', 'true'],
      ['DHCPv4.Server.Pool[name=lan].DNSServers', '192.0.2.53'],
      ['DNS.Client.Server[name=backup].DNSServer', '192.0.2.54'],
      ['SSH.Server[at=1].IdleTimeout', '600'],
      ...forwards.flatMap((each) => Object.entries(each)),
    ].filter(([path]) => standardCatalogue.find(path!) !== undefined),
  ) as Readonly<Record<string, string>>;
}
