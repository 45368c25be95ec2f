import { makeIccid } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import type { EsimReport, ReportedProfile } from '../../platform/ports/device-link.ts';
import { effectOfOrder, insertBelowInUse, lineupOf, successorOf, type LineupProfile } from './lineup.ts';

const pathOf = (instance: number) => `Device.TrustedElements.SIM.1.Profile.${instance}.`;
const on = (instance: number, priority: number, more: Partial<LineupProfile> = {}): LineupProfile => ({
  id: `row-${instance}`,
  is_preloaded: false,
  priority,
  name: `Profile ${instance}`,
  carrier: '',
  iccid: makeIccid(instance),
  status: 'Activated',
  path: pathOf(instance),
  ...more,
});
const pending = (instance: number, priority: number) => on(instance, priority, { path: null, status: 'Assigning...' });
const reports = (...profiles: readonly (readonly [number, ('active' | 'preloaded')?, 'preloaded'?])[]): EsimReport => ({
  path: 'Device.TrustedElements.SIM.1.',
  eid: null,
  count: profiles.length,
  profiles: profiles.map(([instance, ...flags]): ReportedProfile => ({
    path: pathOf(instance),
    iccid: makeIccid(instance),
    active: flags.includes('active'),
    preloaded: flags.includes('preloaded'),
    name: null,
    carrier: 'Carrier',
    apn: null,
    apn2: null,
    priority: null,
  })),
});

describe('the position of a new profile', () => {
  it.each([
    ['never connected, nothing kept', [], null, undefined, 2, {}],
    ['never connected, requested first', [], null, 1, 2, {}],
    ['the preloaded one in use, not set up', [], reports([1, 'active', 'preloaded']), 1, 2, {}],
    ['the preloaded one in use, and set up', [on(1, 1, { is_preloaded: true })], reports([1, 'active', 'preloaded']), 1, 2, {}],
    ['another one in use', [on(2, 1)], reports([1, 'preloaded'], [2, 'active']), 1, 2, {}],
    ['another one in use, an unused one first', [pending(3, 1), on(2, 2)], reports([2, 'active']), 1, 3, {}],
    [
      'a position between two below',
      [on(2, 1), on(3, 2), pending(4, 3)],
      reports([2, 'active'], [3]),
      2,
      2,
      { 'row-3': 3, 'row-4': 4 },
    ],
    ['the one in use is last', [on(3, 2), on(2, 4)], reports([1, 'preloaded'], [2, 'active'], [3]), 1, 4, { 'row-2': 3 }],
    ['the router has reported none in use', [on(2, 1), on(3, 2)], reports([2], [3]), 1, 4, {}],
  ] as const)('SIM-06-partial %s', (_, rows, reported, wished, priority, moves) => {
    const lineup = lineupOf(rows, reported);
    const insertion = insertBelowInUse(lineup, wished);
    expect([insertion.priority, Object.fromEntries(insertion.moves)]).toEqual([priority, moves]);
    const inUse = lineup.inUse === undefined ? 0 : (insertion.moves.get(lineup.inUse.id) ?? lineup.inUse.priority);
    expect(insertion.priority).toBeGreaterThan(inUse);
  });
});

describe('the effect of a changed order', () => {
  const effect = (before: readonly LineupProfile[], after: readonly LineupProfile[], reported: EsimReport | null) =>
    effectOfOrder(lineupOf(before, reported), lineupOf(after, reported));
  const used = reports([2, 'active'], [3]);

  it('SIM-06-partial a profile that becomes the first is switched to; moved back, the switch is withdrawn', () => {
    expect(effect([on(2, 1), on(3, 2)], [on(3, 1), on(2, 2)], used)).toMatchObject({ type: 'switch', to: { id: 'row-3' } });
    expect(effect([on(3, 1), on(2, 2)], [on(2, 1), on(3, 2)], used)).toEqual({ type: 'keep' });
  });

  it('SIM-06-partial a profile that is not on the router yet, or failed there, is not the first', () => {
    expect(effect([on(2, 1), pending(3, 2)], [pending(3, 1), on(2, 2)], used).type).toBe('none');
    const failed = on(3, 2, { status: 'Fail to activate' });
    expect(effect([on(2, 1), failed], [{ ...failed, priority: 1 }, on(2, 2)], used).type).toBe('none');
  });

  it('SIM-06-partial an order below the first, and one that had another first before, switch nothing', () => {
    expect(effect([on(2, 1), on(3, 2), on(4, 3)], [on(2, 1), on(4, 2), on(3, 3)], used).type).toBe('none');
    expect(effect([on(3, 1), on(2, 2), on(4, 3)], [on(3, 1), on(4, 2), on(2, 3)], used).type).toBe('none');
  });

  it('SIM-06-partial a router that has not reported what it uses is never switched by an order', () => {
    expect(effect([on(2, 1), on(3, 2)], [on(3, 1), on(2, 2)], reports([2], [3])).type).toBe('none');
    expect(effect([on(2, 1), on(3, 2)], [on(3, 1), on(2, 2)], null).type).toBe('none');
  });

  it('SIM-06-partial a profile before the preloaded one in use, which was not set up, is switched to', () => {
    const reported = reports([1, 'active', 'preloaded'], [2]);
    expect(effect([on(2, 2)], [on(2, 1)], reported)).toMatchObject({ type: 'switch', to: { id: 'row-2' } });
  });
});

it('SIM-08-partial when the one in use is deleted the router continues with the next usable one, the preloaded one included', () => {
  const rows = [on(2, 1), pending(3, 2), on(4, 3, { status: 'Fail to activate' })];
  expect(successorOf(lineupOf(rows, reports([2, 'active'])), 'row-2')).toBeUndefined();
  expect(successorOf(lineupOf(rows, reports([1, 'preloaded'], [2, 'active'])), 'row-2')).toMatchObject({ is_preloaded: true });
  expect(successorOf(lineupOf([...rows, on(5, 4)], reports([2, 'active'])), 'row-2')).toMatchObject({ id: 'row-5' });
});
