import { describe, expect, test } from 'vitest';
import { waitOf, waveRulesOf, waveSizes, type WaveInput, type WaveProgress } from './waves.ts';

const first = { devices: ['A'] };

describe('WIN-01-partial the waves of a binding', () => {
  test.each<[string, WaveInput, number, object | null]>([
    ['nothing is chosen', {}, 3, null],
    ['vehicles are chosen', { first }, 0, { rule: 'success', hours: null, first, shares: [] }],
    ['a person continues after canaries', { waves: { rule: 'person' } }, 1, { rule: 'person', first: null, shares: [] }],
    ['hours and shares', { waves: { rule: 'hours', hours: 4, shares: [10, 50] } }, 0, { hours: 4, shares: [10, 50] }],
  ])('%s', (_, input, canaries, rules) => {
    const found = waveRulesOf(input, canaries);
    if (rules === null) expect(found).toBeNull();
    else expect(found).toMatchObject(rules);
  });

  test.each<[string, WaveInput]>([
    ['hours without their number', { first, waves: { rule: 'hours' } }],
    ['a number of hours for another rule', { first, waves: { rule: 'person', hours: 4 } }],
    ['shares that do not rise', { first, waves: { rule: 'success', shares: [50, 50] } }],
    ['nothing that goes first', { waves: { rule: 'person' } }],
  ])('%s is an error', (_, input) => {
    expect(() => waveRulesOf(input, 0)).toThrow(expect.objectContaining({ key: 'binding.waves' }));
  });

  test('shares are of the routers that follow, rounded up, and the last wave has the rest', () => {
    expect(waveSizes(100, [10, 50])).toEqual([10, 40, 50]);
    expect(waveSizes(3, [10, 50])).toEqual([1, 1, 1]);
    expect(waveSizes(0, [50])).toEqual([0, 0]);
    expect(waveSizes(7, [])).toEqual([7]);
  });
});

describe('WIN-01-partial what the next wave waits for', () => {
  const wave = (part: Partial<WaveProgress> = {}): WaveProgress => ({
    routers: 2,
    successful: 0,
    failed: 0,
    unsupported: 0,
    busy: 0,
    lastSuccess: null,
    ...part,
  });
  const hours = { rule: 'hours', hours: 4 } as const;
  const success = { rule: 'success', hours: null } as const;
  test.each([
    ['its routers', success, [wave(), wave()], 0, { waits: 'routers', next: null }],
    ['a person', { rule: 'person', hours: null } as const, [wave({ successful: 2 }), wave()], 0, { waits: 'person', next: null }],
    ['a failure', hours, [wave({ failed: 1, successful: 1, lastSuccess: 1 }), wave()], 0, { waits: 'failure', next: null }],
    ['a first success', hours, [wave(), wave()], 0, { waits: 'routers', next: null }],
    ['the hours', hours, [wave({ successful: 1, lastSuccess: 1_000 }), wave()], 0, { waits: 'hours', next: 15_400 }],
    [
      'a router under way',
      hours,
      [wave({ successful: 1, busy: 1, lastSuccess: 1_000 }), wave()],
      0,
      { waits: 'routers', next: null },
    ],
    ['a choice: none is left that goes first', success, [wave({ routers: 0 }), wave()], 0, { waits: 'empty', next: null }],
    [
      'a choice: none that goes first has the command',
      success,
      [wave({ unsupported: 2 }), wave()],
      0,
      { waits: 'empty', next: null },
    ],
    ['nothing: it is the last', success, [wave(), wave()], 1, { waits: null, next: null }],
  ] as const)('%s', (_, rules, waves, open, waits) => {
    expect(waitOf(rules, waves, open)).toEqual(waits);
  });
});
