import { expect, test } from 'vitest';
import { hintOf, isWellFormedKey, looksLikeKey, mintKey } from './key-text.ts';
import { parseRange, plainAddress } from './ip-range.ts';

test('HKS-02-partial a key has a prefix and a checksum, and one that was cut or mistyped is recognized without a database', () => {
  const keys = Array.from({ length: 200 }, mintKey);
  expect(new Set(keys).size).toBe(200);
  for (const key of keys) {
    expect(key).toMatch(/^hlk_[0-9A-Za-z]{46}$/u);
    expect(isWellFormedKey(key)).toBe(true);
    expect(hintOf(key)).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
    for (const wrong of [key.slice(0, -1), `${key}0`, key.replace('hlk_', 'hlk-'), swapped(key), ` ${key}`])
      expect(isWellFormedKey(wrong), wrong).toBe(false);
  }
  expect([looksLikeKey('hlk_'), looksLikeKey('x'.repeat(43))]).toEqual([true, false]);
});

/** One character is another one. */
function swapped(key: string): string {
  return `${key.slice(0, 12)}${key[12] === 'a' ? 'b' : 'a'}${key.slice(13)}`;
}

test('HKS-02-partial ranges are CIDR of IPv4 and IPv6; anything else is rejected by its field', () => {
  expect(parseRange('203.0.113.7', 'r')).toBe('203.0.113.7/32');
  expect(parseRange('203.0.113.7/24', 'r')).toBe('203.0.113.7/24');
  expect(parseRange('2001:DB8::/32', 'r')).toBe('2001:db8::/32');
  expect(parseRange('::1', 'r')).toBe('::1/128');
  for (const wrong of [
    '',
    'x',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '1.2.3.4/-1',
    '::/129',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
    '1.2.3.4 /8',
  ])
    expect(() => parseRange(wrong, 'ranges.0'), wrong).toThrow(expect.objectContaining({ key: 'key.range_invalid' }));
  expect([plainAddress('::ffff:192.0.2.1'), plainAddress('192.0.2.1'), plainAddress('fe80::1%eth0'), plainAddress('')]).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    'fe80::1',
    undefined,
  ]);
});
