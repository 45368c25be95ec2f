import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addCounts, binOf, medianOf, middleOf, rsrpBins, rsrqBins, type Bins } from './bins.ts';

const countsOf = (bins: Bins, values: readonly number[]): number[] => {
  const counts: number[] = [];
  for (const value of values) counts[binOf(bins, value)] = (counts[binOf(bins, value)] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
};

/** The median of values by its definition, each as the middle of its bin. */
const exactMedian = (bins: Bins, values: readonly number[]): number | null => {
  const ordered = values.map((value) => middleOf(bins, binOf(bins, value))).toSorted((a, b) => a - b);
  if (ordered.length === 0) return null;
  return (ordered[Math.floor((ordered.length - 1) / 2)]! + ordered[Math.floor(ordered.length / 2)]!) / 2;
};

describe('POS-06-partial bins', () => {
  test.each([rsrpBins, rsrqBins])('their median over several days is the exact one of all values: $column', (bins) => {
    const days = fc.array(fc.array(fc.double({ min: -199, max: 40, noNaN: true }), { maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(days, (values) => {
        const sum: number[] = [];
        for (const day of values) addCounts(sum, countsOf(bins, day));
        expect(medianOf(bins, Array.from(sum))).toBe(exactMedian(bins, values.flat()));
      }),
    );
  });

  test('are 2 dB of RSRP and 1 dB of RSRQ wide, and values beyond the ends count in the first and the last', () => {
    expect([-140, -130, -128.1, -128, -60, 0].map((value) => binOf(rsrpBins, value))).toEqual([0, 0, 0, 1, 34, 34]);
    expect(middleOf(rsrpBins, binOf(rsrpBins, -97))).toBe(-97);
    expect([-30, -10.2, 5].map((value) => middleOf(rsrqBins, binOf(rsrqBins, value)))).toEqual([-23.5, -10.5, -2.5]);
    expect(medianOf(rsrpBins, [])).toBeNull();
  });
});
