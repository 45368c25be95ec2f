import { devices, positions } from '@highline/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';

const begin = Date.parse('2026-11-20T06:00:00Z') / 1_000;
const fix = (at: number, signal: number): positions.TrailFix => [begin + at, 41.9, -87.6, 30, 90, 5, signal, false];

/** The page of a device with these positions. */
async function openTrail(fixes: positions.TrailFix[], gaps: [number, number][], every = 1) {
  const started = startConsole();
  started.respond(devices.getDevice, { result: { ...example(devices.getDevice).result, device: 'one', agent: null } });
  const { result } = example(positions.trail);
  started.respond(positions.trail, {
    result: { ...result, day: '2026-11-20', from: begin, until: begin + 86_400, fixes, gaps, every, stops: [] },
  });
  await started.open('/devices/setting?device=one&tab=location&day=2026-11-20');
  return started;
}

test('POS-04-partial the first point of a chart after a gap leads to the position after the gap', async () => {
  await openTrail([fix(0, -60), fix(3_610, -70), fix(3_640, -72), fix(3_670, -80)], [[begin, begin + 3_610]]);
  const signal = await screen.findByRole('slider', { name: 'Signal (dBm)' });
  fireEvent.change(signal, { target: { value: '1' } });
  expect(screen.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext')).toContain('01:00:10');
  expect(signal.getAttribute('aria-valuetext')).toContain('01:00:10');
  // One line before the gap, and one after it.
  const lines = [...signal.closest('section')!.querySelectorAll('.time-chart__line')].map((line) => line.getAttribute('d')!);
  expect(lines.map((path) => path.split('L').length)).toEqual([1, 2]);
});

test('POS-04-partial a trail of which not all positions are shown says so', async () => {
  await openTrail([fix(0, -60), fix(2, -70)], [], 2);
  expect(await screen.findByText('About one of 2 positions is shown. The files have all of them.')).toBeTruthy();
});
