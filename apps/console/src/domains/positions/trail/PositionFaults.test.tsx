import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { chooseLanguage } from '../../../i18n/i18n.ts';
import { loadMessages } from '../../../testing/messages.ts';
import { PositionFaults } from './PositionFaults.tsx';
import type { Trail } from './trail.api.ts';
import { VehicleList } from '../VehicleList.tsx';
import { vehicleOf } from '../vehicle.ts';

beforeAll(() => loadMessages('positions', 'trail'));
afterEach(cleanup);

const since = Date.parse('2026-11-20T10:15:00Z') / 1_000;
const faults: Trail['faults'] = [
  { reason: 'future', since, last: since, count: 12, received: '2026-11-20T12:15:00.000Z' },
  { reason: 'week-rollover', since, last: since, count: 1, received: '2007-04-06T10:15:00.000Z' },
];

it('POS-07-partial a person reads how many positions were rejected since when, why, what came and what to do, in both languages', async () => {
  const { rerender } = render(
    <>
      <PositionFaults faults={faults} />
    </>,
  );
  const [rejected, corrected] = screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(rejected).toMatch(/^12 positions rejected since 11\/20\/2026 .*: the time is ahead of that of the server\./u);
  expect(rejected).toContain('Last received: 2026-11-20T12:15:00.000Z');
  expect(rejected).toContain('Check the clock and the time zone');
  expect(corrected).toMatch(/^1 position with a corrected time since .* 1,024 weeks too old/u);
  await chooseLanguage('zh-TW');
  rerender(
    <>
      <PositionFaults faults={[...faults]} />
    </>,
  );
  expect(screen.getAllByRole('status')[0]!.textContent).toContain('有 12 筆位置被拒絕：時間比伺服器的時間晚。');
  await chooseLanguage('en-US');
});

it('POS-02-partial the list says "Not moving" only of a vehicle that reports so; without a speed it says when the position was', () => {
  const bus = (name: string, speed: number | null) =>
    vehicleOf([name, name, 41.88, -87.63, since, 'online', -70, speed, null, 5, false, null, null]);
  render(
    <>
      <VehicleList
        vehicles={[bus('Bus 1', 0), bus('Bus 2', null), bus('Bus 3', 40)]}
        by="state"
        now={since + 13}
        selected={undefined}
        onSelect={() => {}}
      />
    </>,
  );
  const details = screen.getAllByRole('button').map((row) => row.querySelector('.vehicle-list__detail')!.textContent);
  expect(details.map((text) => text.split(' · ')[0])).toEqual(['Not moving', expect.stringMatching(/ago|\//u), '25\u00A0mph']);
});
