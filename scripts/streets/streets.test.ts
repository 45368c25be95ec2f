import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../toolchain.mjs';
import { cities } from './cities.ts';
import { archiveOf } from './tiles.ts';

test('the shipped streets are what `npm run streets` writes', () => {
  // Compressed bytes may be others with another version of zlib; what matters is that the file was written again.
  const shipped = readFileSync(join(root, 'apps/server/maps/streets.pmtiles'));
  expect(archiveOf(cities).equals(shipped)).toBe(true);
});
