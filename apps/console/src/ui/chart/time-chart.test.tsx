import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { TimeChart } from './TimeChart.tsx';

const points = [
  { at: 100, value: 1 },
  { at: 200, value: 3 },
  { at: 300, value: 2 },
];

test.each([
  ['bar', 3, 0, 0],
  ['line', 0, 1, 0],
  ['area', 0, 1, 1],
] as const)('ANA-02-partial values over time are drawn as %s', (mark, bars, lines, areas) => {
  const { container } = render(
    <TimeChart
      label="Signal"
      points={points}
      from={0}
      until={400}
      scale={{ min: 0, max: 4, ticks: [0, 4] }}
      tickText={String}
      pointText={({ value }) => String(value)}
      gap={1_000}
      mark={mark}
    />,
  );
  const drawn = ['bar', 'line', 'range'].map((part) => container.querySelectorAll(`.time-chart__${part}`).length);
  expect(drawn).toEqual([bars, lines, areas]);
});
