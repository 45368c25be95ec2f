import { describe, expect, test } from 'vitest';
import type { Member } from '../move/members.api.ts';
import { emptyRollout } from './rollout-draft.ts';
import { changedFiles, emptyValues, groupChanged, isDirty, parseDraft, normalized, unchosen } from './values.ts';

const firmware = { pk: 'f', name: '2.9.0', version: null };
const config = { pk: 'c', name: 'depot', version: 3 };
const member = { device: 'a' } as Member;

describe('the form of a group', () => {
  test('GRP-07-partial without firmware and config it is immediate and not postponed', () => {
    const bound = normalized({ ...emptyValues, firmware, schedule: 'bootup', postponed: true, postpone: 1_800_000_000 });
    expect(bound.schedule).toBe('bootup');
    expect(normalized({ ...bound, firmware: unchosen })).toMatchObject({
      schedule: 'immediate',
      postponed: false,
      postpone: null,
    });
    expect(normalized({ ...bound, schedule: 'immediate' })).toMatchObject({ postponed: false, postpone: null });
    expect(normalized({ ...bound, postponed: false })).toMatchObject({ schedule: 'bootup', postpone: null });
    expect(bound.postpone).toBe(1_800_000_000);
  });

  test('GRP-08-partial any change counts, and only changed fields are sent', () => {
    const base = { ...emptyValues, name: 'North', firmware, config };
    expect(isDirty(base, base)).toBe(false);
    expect(changedFiles(base, { ...base, firmware: { ...firmware, pk: 'g' } })).toEqual(['firmware']);
    expect(changedFiles(base, { ...base, config: unchosen })).toEqual(['config']);
    expect(changedFiles(base, { ...base, schedule: 'bootup' })).toEqual(['firmware', 'config']);
    expect(changedFiles(base, { ...base, again: ['config'] })).toEqual(['config']);
    expect(changedFiles({ ...base, config: unchosen }, { ...base, config: unchosen, schedule: 'bootup' })).toEqual(['firmware']);
    expect(groupChanged(base, { ...base, description: 'yard' })).toBe(true);
    expect(groupChanged(base, { ...base, moves: { add: [member], remove: [] } })).toBe(true);
    expect(groupChanged(base, { ...base, tags: ['BD'] })).toBe(true);
    expect(groupChanged(base, { ...base, reportSeconds: 300 })).toBe(true);
    expect(groupChanged(base, { ...base, schedule: 'bootup' })).toBe(false);
  });

  test('a newer version of the same config file is a change', () => {
    const base = { ...emptyValues, config };
    expect(changedFiles(base, { ...base, config: { ...config, version: 4 } })).toEqual(['config']);
  });

  test.each([{}, { firmware: {} }, { schedule: 'later', canaries: 'many' }, { unknown: 'x' }])(
    'a draft that is none is not offered: %s',
    (stored) => {
      expect(parseDraft(stored)).toBeUndefined();
    },
  );

  test('a draft comes back as it was kept, and has no other fields', () => {
    const kept = {
      name: 'North',
      firmware,
      again: ['firmware' as const],
      schedule: 'bootup' as const,
      postponed: true,
      postpone: 1_800_000_000,
      tags: ['BD'],
      failureThreshold: 5,
      canaries: 2,
      rollout: {
        ...emptyRollout,
        first: 'devices' as const,
        devices: [{ device: 'a', name: 'Bus 7' }],
        rule: 'hours' as const,
        shares: 'half' as const,
        window: { ...emptyRollout.window, isLimited: true, days: [6], geofences: ['yard'], uplinks: ['wifi'], minVoltage: '12' },
      },
    };
    expect(parseDraft(structuredClone(kept))).toEqual(kept);
    expect(parseDraft({ postpone: null })).toEqual({ postpone: null });
    const odd = { ...kept.rollout, shares: 'thirds', devices: [null, 7], window: { days: ['x'], uplinks: ['pigeon'] } };
    expect(parseDraft({ rollout: odd })?.rollout).toEqual({
      ...kept.rollout,
      shares: 'all',
      devices: [],
      window: { ...emptyRollout.window, days: [] },
    });
  });
});
