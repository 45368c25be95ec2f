import { expect, test } from 'vitest';
import { cookieText, readCookie } from './cookies.ts';

test('a cookie is found by its whole name', () => {
  const jar = 'xtz=1; tz=-5; timezone=America%2FNew_York';
  expect(readCookie('tz', jar)).toBe('-5');
  expect(readCookie('timezone', jar)).toBe('America/New_York');
  expect(readCookie('zone', jar)).toBeUndefined();
});

test('a malformed cookie reads as none', () => {
  expect(readCookie('tz', 'tz=%E0%A4%A')).toBeUndefined();
});

test('a value cannot add attributes', () => {
  expect(cookieText('tz', 'a; Domain=evil', 60, true)).toBe('tz=a%3B%20Domain%3Devil; Path=/; Max-Age=60; SameSite=Lax; Secure');
});
