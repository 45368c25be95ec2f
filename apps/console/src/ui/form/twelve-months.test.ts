import { expect, test } from 'vitest';
import { nextTwelveMonths, twelveMonths } from './TwelveMonths.tsx';

test('twelve months end a day before the same day of the next year', () => {
  expect(twelveMonths('11/23/2026')).toEqual({ started: '11/23/2026', expired: '11/22/2027' });
  expect(twelveMonths('01/01/2027')).toEqual({ started: '01/01/2027', expired: '12/31/2027' });
  expect(twelveMonths('03/01/2027')).toEqual({ started: '03/01/2027', expired: '02/29/2028' });
  expect(twelveMonths('02/29/2028')).toEqual({ started: '02/29/2028', expired: '02/28/2029' });
  expect(twelveMonths('soon')).toBeUndefined();
});

test('SVC-01-partial twelve months more begin after the last day of a subscription that runs, and never end in the past', () => {
  const next = (started: string, stored: string) => nextTwelveMonths(started, stored, '11/30/2026');
  expect(next('01/01/2024', '12/31/2026')).toEqual({ started: '01/01/2024', expired: '12/31/2027' });
  expect(next('12/01/2025', '11/30/2026')).toEqual({ started: '12/01/2025', expired: '11/30/2027' });
  // It is over: from today, or from the first day that was typed.
  expect(next('01/01/2024', '12/31/2024')).toEqual({ started: '11/30/2026', expired: '11/29/2027' });
  expect(next('01/01/2027', '12/31/2024')).toEqual({ started: '01/01/2027', expired: '12/31/2027' });
  expect(next('01/01/2027', '12/31/2026')).toEqual({ started: '01/01/2027', expired: '12/31/2027' });
  expect(next('', '')).toEqual({ started: '11/30/2026', expired: '11/29/2027' });
  expect(next('03/01/2026', '')).toEqual({ started: '03/01/2026', expired: '02/28/2027' });
});
