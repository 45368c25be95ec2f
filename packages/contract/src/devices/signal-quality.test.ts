import { expect, test } from 'vitest';
import { signalLimits, signalQuality } from './signal-quality.ts';

test('DPG-02-partial a signal is good, fair or poor by the limits of its measurement; a limit belongs to the better one', () => {
  for (const [measure, { good, fair }] of Object.entries(signalLimits)) {
    const rated = (value: number) => signalQuality(measure as keyof typeof signalLimits, value);
    expect([good + 1, good, good - 0.1, fair, fair - 0.1].map(rated)).toEqual(['good', 'good', 'fair', 'fair', 'poor']);
  }
  expect(signalQuality('rsrp', -111)).toBe('poor');
  expect(signalQuality('sinr', 20)).toBe('good');
});
