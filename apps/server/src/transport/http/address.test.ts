import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createAddressReader } from './address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

test('a header of an untrusted sender changes no address', () => {
  expect(createAddressReader([])(from('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
  expect(createAddressReader(['10.0.0.0/8'])(from('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9');
});

test('behind trusted proxies, the nearest untrusted address counts', () => {
  const addressOf = createAddressReader(['10.0.0.0/8', 'loopback']);
  expect(addressOf(from('10.1.2.3', '198.51.100.1'))).toBe('198.51.100.1');
  expect(addressOf(from('10.1.2.3', '192.0.2.66, 198.51.100.1, 127.0.0.1'))).toBe('198.51.100.1');
  expect(addressOf(from('10.1.2.3'))).toBe('10.1.2.3');
});

test('a port behind a forwarded address is dropped, so that every connection of one client has the same address', () => {
  const addressOf = createAddressReader(['10.0.0.0/8']);
  expect(addressOf(from('10.1.2.3', '198.51.100.1:51234'))).toBe('198.51.100.1');
  expect(addressOf(from('10.1.2.3', '192.0.2.66:1, [2001:db8::7]:443'))).toBe('2001:db8::7');
  expect(addressOf(from('10.1.2.3', '[2001:db8::7]'))).toBe('2001:db8::7');
  expect(addressOf(from('10.1.2.3', '2001:db8::7'))).toBe('2001:db8::7');
  expect(addressOf(from('10.1.2.3', 'unknown:80'))).toBe('unknown:80');
});
