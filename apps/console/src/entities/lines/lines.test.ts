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

test('thousands of changed values are compared by their names, an inserted line moves nothing, and repeated lines stay', () => {
  const file = (value: string) =>
    Array.from({ length: 3_000 }, (_, index) => `[port ${index}]\nName.${index} = ${value} ${index}\nEnable = true\n`).join('');
  const lines = compareLines(file('old'), `# new\n${file('new')}`)!;
  expect(lines.slice(0, 6)).toEqual([
    { number: 1, text: '# new', change: 'added' },
    { number: 2, text: '[port 0]' },
    { text: 'Name.0 = old 0', change: 'removed' },
    { number: 3, text: 'Name.0 = new 0', change: 'added' },
    { number: 4, text: 'Enable = true' },
    { number: 5, text: '[port 1]' },
  ]);
  expect(lines.filter(({ change }) => change === undefined)).toHaveLength(6_000);
});

test('a line that moved is removed and added, and all lines of both versions are there', () => {
  const [before, after] = [
    ['a', 'b', 'x', 'x', 'c', 'd = 1'],
    ['c', 'a', 'x', 'b', 'x', 'd = 2'],
  ];
  const lines = compareLines(before.join('\n'), after.join('\n'))!;
  const without = (change: 'added' | 'removed') => lines.filter((line) => line.change !== change).map(({ text }) => text);
  expect([without('added'), without('removed')]).toEqual([before, after]);
  expect(lines.filter(({ text, change }) => text === 'c' && change !== undefined)).toHaveLength(2);
});
