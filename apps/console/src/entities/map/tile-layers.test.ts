import { expect, test } from 'vitest';
import type { MapColors } from './base-map.ts';
import { layersOfTiles } from './tile-layers.ts';

test('POS-03-partial layers of a file that no schema has are drawn as lines, whatever their names', () => {
  const layers = ['water', 'harbours', 'constructor', '__proto__'];
  const archive = { url: 'pmtiles://own', kind: 'vector', layers, zooms: [0, 14], attribution: '' } as const;
  const { areas } = layersOfTiles(archive, 'own', {} as MapColors, 'en-US');
  expect(areas.map(({ id, type }) => [id, type])).toEqual([
    ['own-water', 'fill'],
    ['own-harbours', 'line'],
    ['own-constructor', 'line'],
    ['own-__proto__', 'line'],
  ]);
});
