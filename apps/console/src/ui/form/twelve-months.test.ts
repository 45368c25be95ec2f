import { expect, test } from 'vitest';
import { twelveMonths } from './TwelveMonths.tsx';

test('twelve months end a day before the same day of the next year', () => {
  expect(twelveMonths('11/23/2026')).toEqual({ started: '11/23/2026', expired: '11/22/2027' });
  expect(twelveMonths('01/01/2027')).toEqual({ started: '01/01/2027', expired: '12/31/2027' });
  expect(twelveMonths('03/01/2027')).toEqual({ started: '03/01/2027', expired: '02/29/2028' });
  expect(twelveMonths('02/29/2028')).toEqual({ started: '02/29/2028', expired: '02/28/2029' });
  expect(twelveMonths('soon')).toBeUndefined();
});
