import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withPalette } from './pictures.ts';
import { root } from './toolchain.mjs';

const pictures = globSync('e2e/pictures/*.png', { cwd: root }).map((name) => join(root, name));

test('pictures are small, and have a palette', () => {
  expect(pictures.length).toBeGreaterThan(80);
  const sizes = pictures.map((file) => statSync(file).size);
  expect(Math.max(...sizes)).toBeLessThan(60_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_200_000);
  const withoutPalette = pictures.filter((file) => withPalette(readFileSync(file)).length !== statSync(file).size);
  expect(withoutPalette).toEqual([]);
});
