import { expect, test } from 'vitest';
import { resolveSettings } from './resolve.ts';

const LAN = 'IP.Interface[pool=lan].IPv4Address[at=1].';
const POOL = 'DHCPv4.Server.Pool[name=lan].';
const faultsOf = (...levels: readonly Readonly<Record<string, string>>[]) =>
  resolveSettings(
    levels.map((values, at) => ({
      level: at === 0 ? ('group' as const) : ('device' as const),
      content: Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { value }])),
    })),
    new Map(),
  ).flatMap(({ setting: { path }, fault }) => (fault?.kind === 'invalid' ? [path] : []));
const lan = (address: string, mask: string, first: string, last: string) => ({
  [`${LAN}IPAddress`]: address,
  [`${LAN}SubnetMask`]: mask,
  [`${POOL}MinAddress`]: first,
  [`${POOL}MaxAddress`]: last,
});

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['in the network', lan('192.168.1.1', '255.255.255.0', '192.168.1.50', '192.168.1.99'), []],
  ['above the sign of 32 bits', lan('10.200.0.1', '255.255.0.0', '10.200.3.1', '10.200.255.254'), []],
  ['last outside', lan('192.168.1.1', '255.255.255.0', '192.168.1.50', '192.168.2.99'), [`${POOL}MaxAddress`]],
  [
    'ends exchanged',
    lan('192.168.1.1', '255.255.255.0', '192.168.1.99', '192.168.1.50'),
    [`${POOL}MinAddress`, `${POOL}MaxAddress`],
  ],
  ['no mask', lan('192.168.1.1', '255.0.255.0', '192.168.1.50', '192.168.1.99'), [`${LAN}SubnetMask`]],
  ['address unknown', { [`${LAN}SubnetMask`]: '255.255.0.0', [`${POOL}MinAddress`]: '10.0.0.1' }, []],
])('TPL-01 addresses of the own network: %s', (_, values, faults) => {
  expect(faultsOf(values)).toEqual(faults);
});

test('TPL-01 a value of a vehicle that does not go with one of its group is a fault there', () => {
  const group = lan('192.168.1.1', '255.255.255.0', '192.168.1.50', '192.168.1.99');
  expect(faultsOf(group, { [`${LAN}IPAddress`]: '192.168.7.1' })).toEqual([`${POOL}MinAddress`, `${POOL}MaxAddress`]);
});

const rule = (name: string, more: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries({ Order: '1', Target: 'Drop', Enable: 'true', ...more }).map(([parameter, value]) => [
      `Firewall.Chain[at=1].Rule[name=${name}].${parameter}`,
      value,
    ]),
  );

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['everything', rule('all', {}), ['all']],
  ['everything over TCP', rule('all', { Protocol: '6', Target: 'Reject' }), ['all']],
  ['one port', rule('one', { DestPort: '25' }), []],
  ['another protocol', rule('udp', { Protocol: '17' }), []],
  ['switched off', rule('all', { Enable: 'false' }), []],
  ['after one that accepts', { ...rule('all', { Order: '9' }), ...rule('cloud', { Target: 'Accept', DestIP: '192.0.2.1' }) }, []],
  ['with the firewall off', { ...rule('all', {}), 'Firewall.Enable': 'false' }, []],
])('TPL-04 a rule that drops %s', (_, values, names) => {
  expect(faultsOf(values)).toEqual(names.map((name) => `Firewall.Chain[at=1].Rule[name=${name}].Target`));
});
