import { expect, test } from 'vitest';
import { compareLines, linesOf, textOf } from './lines.ts';

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

test('a file is text if it is UTF-8 without zero bytes', () => {
  expect(textOf(bytes('ssid 車隊\n'))).toBe('ssid 車隊\n');
  expect(textOf(new Uint8Array([0xff, 0xfe, 0x41]).buffer)).toBeUndefined();
  expect(textOf(bytes('a\0b'))).toBeUndefined();
});

test('lines are numbered from 1, whatever ends them', () => {
  expect(linesOf('a\r\nb\n')).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: 'b' },
  ]);
});

test('a comparison has the numbers of the version that is shown, and what only the earlier one has', () => {
  expect(compareLines('host a\nssid x\nend\n', 'host a\r\nssid y\r\nwpa z\r\nend\r\n')).toEqual([
    { number: 1, text: 'host a' },
    { text: 'ssid x', change: 'removed' },
    { number: 2, text: 'ssid y', change: 'added' },
    { number: 3, text: 'wpa z', change: 'added' },
    { number: 4, text: 'end' },
  ]);
});

test('two versions with hardly a line in common are not compared', () => {
  const file = (name: string) => Array.from({ length: 5_000 }, (_, index) => `${name} ${index}`).join('\n');
  expect(compareLines(file('one'), file('two'))).toBeUndefined();
});
