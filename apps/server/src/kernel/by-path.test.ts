import { expect, test } from 'vitest';
import { byPath } from './by-path.ts';

test('what a path means is looked up once, and paths that a router makes up fill no memory', () => {
  const read: string[] = [];
  const lengthOf = byPath((path) => {
    read.push(path);
    return path === 'none' ? undefined : path.length;
  });
  expect([lengthOf('none'), lengthOf('none'), lengthOf('Device.A'), lengthOf('Device.A')]).toEqual([undefined, undefined, 8, 8]);
  expect(read).toEqual(['none', 'Device.A']);
  for (let n = 0; n < 2_000; n++) lengthOf(`Device.Made.${n}`);
  lengthOf('Device.A');
  expect(read.filter((path) => path === 'Device.A')).toHaveLength(2);
  const long = `Device.${'x'.repeat(200)}`;
  lengthOf(long);
  lengthOf(long);
  expect(read.filter((path) => path === long)).toHaveLength(2);
});
