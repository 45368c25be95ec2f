import { describe, expect, test } from 'vitest';
import { MOST_CHART_POINTS, windowMinutes, windowsFor } from './report-windows.ts';

const choose = (days: number, perDay = 0, tags: string[] = []) => windowsFor({ days, perDay, tags });

describe('windows of reports and analysis', () => {
  test('RPT-03 a single day is cut into 1d, 1h, 30m, 10m or 5m, and longer ranges into 1mo, 1w, 1d or 1h', () => {
    expect(choose(1).windows).toEqual(['1d', '1h', '30m', '10m', '5m']);
    for (const days of [2, 7, 30, 83]) expect(choose(days).windows).toEqual(['1mo', '1w', '1d', '1h']);
  });

  test.each([
    ['of 100,000 records', 1, 100_000, '1h'],
    ['of one more', 1, 100_001, '3h'],
    ['of a million', 1, 1_000_000, '3h'],
    ['of one more than a million', 1, 1_000_001, '1h'],
    ['of several days with 100,000 each', 2, 100_000, '1h'],
    ['of several days with one more', 2, 100_001, '3h'],
    ['of several days with a million each', 30, 1_000_000, '3h'],
    ['of several days with more than a million each', 30, 1_000_001, '1d'],
  ])('RPT-03 a query %s begins with the window that this many records allow', (_, days, perDay, window) => {
    const chosen = choose(days, perDay);
    expect(chosen.window).toBe(window);
    expect(chosen.windows).toContain(window);
  });

  test('RPT-03 a window of three hours is in its order among the others', () => {
    expect(choose(1, 200_000).windows).toEqual(['1d', '3h', '1h', '30m', '10m', '5m']);
    expect(choose(9, 200_000).windows).toEqual(['1mo', '1w', '1d', '3h', '1h']);
  });

  test('RPT-03 a query with the tag BD begins with 1h, unless the number of records requires more', () => {
    expect(choose(30, 10, ['west', 'BD']).window).toBe('1h');
    expect(choose(30, 10, ['west', 'bd']).window).toBe('1d');
    expect(choose(1, 10, ['BD']).window).toBe('1h');
    expect(choose(30, 2_000_000, ['BD']).window).toBe('1d');
  });

  test('RPT-03 no window has more points than a chart: the next wider one is offered, and begins, instead', () => {
    const tooMany: string[] = [];
    for (let days = 1; days <= 3_650; days += 1) {
      for (const perDay of [0, 200_000, 2_000_000]) {
        const { windows, window } = choose(days, perDay, ['BD']);
        const most = Math.max(...windows.map((one) => (days * 1_440) / windowMinutes[one]));
        if (most > MOST_CHART_POINTS || !windows.includes(window))
          tooMany.push(`${days} days, ${perDay} a day: ${windows.join(' ')}`);
      }
    }
    expect(tooMany).toEqual([]);
    expect(choose(84)).toEqual({ windows: ['1mo', '1w', '1d'], window: '1d' });
    expect(choose(83, 10, ['BD']).window).toBe('1h');
    expect(choose(84, 10, ['BD']).window).toBe('1d');
    expect([choose(249, 200_000).window, choose(250, 200_000).window]).toEqual(['3h', '1d']);
  });

  test.each([
    [1, '1h'],
    [8, '1h'],
    [9, '1d'],
    [30, '1d'],
    [167, '1d'],
    [168, '1w'],
    [3_650, '1mo'],
  ])('RPT-03-partial a range of %i days begins with some 24 to 200 points', (days, window) => {
    expect(choose(days).window).toBe(window);
  });
});
