import { cellAt } from '@highline/router';
import { expect, test } from 'vitest';
import { demoCellAt } from './serving-cells.ts';

test('SAY-08-partial the cells of the past of the demo are those that its routers report', () => {
  for (const [latitude, longitude] of [
    [41.8848, -87.6278],
    [41.9398, -87.6533],
    [-33.9, 151.2],
  ] as const)
    // prettier-ignore
    for (const carrier of ['US Cellular', 'AT&T'])
      for (const technology of ['LTE', 'NR'] as const)
        expect(demoCellAt(latitude, longitude, carrier, technology)).toBe(String(cellAt({ latitude, longitude }, carrier, technology)));
});
