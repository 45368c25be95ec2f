import { expect, test } from 'vitest';
import { isInside, rejectionOf, tidyClientRule } from './client-rule.ts';

test('LIV-08-partial networks lose their host part, those within another are left out, and ports that overlap or touch are joined', () => {
  expect(
    tidyClientRule({
      roles: ['user', 'admin', 'user'],
      ranges: ['192.168.1.77/24', '192.168.0.0/16', '10.0.0.5', '192.168.0.0/16', '10.0.0.4/31'],
      ports: [
        { from: 8_000, to: 8_100 },
        { from: 80, to: 80 },
        { from: 8_050, to: 9_000 },
        { from: 81, to: 90 },
      ],
    }),
  ).toEqual({
    roles: ['admin', 'user'],
    ranges: ['10.0.0.4/31', '192.168.0.0/16'],
    ports: [
      { from: 80, to: 90 },
      { from: 8_000, to: 9_000 },
    ],
  });
});

test.each([
  '',
  '192.168.1',
  '192.168.1.0/33',
  '192.168.1.0/24/8',
  '192.168.1.0/-1',
  '192.168.1.0/',
  'fd00::/8',
  '0x7f.0.0.1',
  'camera',
])('LIV-08-partial %j is no network', (range) => {
  const rule = { roles: [], ranges: [range], ports: [] };
  expect(() => tidyClientRule(rule)).toThrow(expect.objectContaining({ key: 'client.range_invalid' }));
});

test('LIV-08-partial a rule that allows nothing to someone is rejected, and so is a range of ports that ends before it begins', () => {
  const ports = [{ from: 80, to: 80 }];
  const empty = expect.objectContaining({ key: 'client.rule_empty' });
  expect(() => tidyClientRule({ roles: ['admin'], ranges: [], ports })).toThrow(empty);
  expect(() => tidyClientRule({ roles: ['admin'], ranges: ['10.0.0.0/8'], ports: [] })).toThrow(empty);
  expect(tidyClientRule({ roles: [], ranges: [], ports: [] })).toEqual({ roles: [], ranges: [], ports: [] });
  expect(() => tidyClientRule({ roles: [], ranges: [], ports: [{ from: 90, to: 80 }] })).toThrow(
    expect.objectContaining({ key: 'client.ports_invalid' }),
  );
});

test('LIV-08-partial a rule allows by role, network and port together', () => {
  const rule = tidyClientRule({ roles: ['admin'], ranges: ['192.168.1.0/24'], ports: [{ from: 80, to: 90 }] });
  const at = (address: string, port: number) => ({ address, port });
  expect(rejectionOf(rule, 'admin', at('192.168.1.255', 90))).toBeUndefined();
  expect(rejectionOf(rule, 'user', at('192.168.1.10', 80))).toBe('client.off');
  expect(rejectionOf(rule, 'main', at('192.168.1.10', 80))).toBe('client.off');
  for (const [address, port] of [
    ['192.168.2.0', 80],
    ['192.168.0.255', 80],
    ['192.168.1.10', 79],
    ['192.168.1.10', 25],
    ['fd00::1', 80],
    ['fe80::1%br-lan', 80],
    ['::ffff:192.168.1.10', 80],
  ] as const)
    expect(rejectionOf(rule, 'admin', at(address, port))).toBe('client.not_allowed');
  expect(isInside(['0.0.0.0/0'], '255.255.255.255')).toBe(true);
});
