import { expect, test } from 'vitest';
import { nearest, placeOf, runsOf, shareOf } from './online-chart.ts';

const now = 1_000_000;
const moment = (at: number, online = 1) => ({ at, online, devices: 4 });

test('ATT-02-partial a gap of the records breaks the line, and the nearest moment is named', () => {
  const moments = [moment(now - 3_000), moment(now - 2_700), moment(now - 600), moment(now - 300, 3)];
  expect(runsOf(moments, 300).map((run) => run.length)).toEqual([2, 2]);
  expect(placeOf(now, 24, now)).toBe(1);
  expect(placeOf(now - 86_400, 24, now)).toBe(0);
  expect(nearest(moments, 1, 24, now)).toBe(3);
  expect(nearest(moments, placeOf(now - 2_750, 24, now), 24, now)).toBe(1);
  expect(shareOf(moment(now, 3))).toBe(0.75);
  expect(shareOf({ at: now, online: 0, devices: 0 })).toBe(0);
});
