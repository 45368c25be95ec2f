import type { rollouts } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { closedWindow, type WindowFacts } from './update-window.ts';

const night: rollouts.UpdateWindow = {
  hours: [{ days: [1, 2, 3, 4, 5], from: '02:00', until: '04:00' }],
  zone: 'America/Chicago',
};
const parked: WindowFacts = {
  zone: 'America/Chicago',
  isOff: true,
  isStill: true,
  inside: ['yard'],
  hasGeofence: true,
  voltage: 12.6,
  signal: -90,
  uplink: 'cellular',
};
const closed = (window: Partial<rollouts.UpdateWindow>, facts: Partial<WindowFacts> = {}, at = '2026-11-27T09:00:00Z') =>
  closedWindow({ zone: 'America/Chicago', ...window }, { ...parked, ...facts }, new Date(at));

describe('WIN-02-partial when a vehicle may be worked on', () => {
  test.each([
    ['within the hours', '2026-11-27T09:00:00Z', undefined],
    ['before them', '2026-11-27T07:59:00Z', '2026-11-27T08:00:00.000Z'],
    ['at their end', '2026-11-26T10:00:00Z', '2026-11-27T08:00:00.000Z'],
    ['on a Saturday', '2026-11-28T09:00:00Z', '2026-11-30T08:00:00.000Z'],
  ])('%s', (_, at, until) => {
    expect(closed(night, {}, at)?.until?.toISOString()).toBe(until);
  });

  test('hours are those of the place where the vehicle is, or of the zone where it has no position', () => {
    const local = { ...night, local: true };
    // 02:30 in New York, 01:30 in Chicago.
    const at = '2026-11-27T07:30:00Z';
    expect(closed(local, { zone: 'America/New_York' }, at)).toBeUndefined();
    expect(closed(night, { zone: 'America/New_York' }, at)?.waits).toBe('hours');
    expect(closed(local, { zone: null, isStill: null }, at)?.until?.toISOString()).toBe('2026-11-27T08:00:00.000Z');
  });

  test('of several hours any will do, and the next that begin are named', () => {
    const hours = [...night.hours!, { days: [6], from: '00:00', until: '00:00' }];
    expect(closed({ hours }, {}, '2026-11-28T18:00:00Z')).toBeUndefined();
    expect(closed({ hours }, {}, '2026-11-27T12:00:00Z')?.until?.toISOString()).toBe('2026-11-28T06:00:00.000Z');
  });

  test.each<[Partial<rollouts.UpdateWindow>, Partial<WindowFacts>, rollouts.WindowWait | undefined]>([
    [{ ignitionOffMinutes: 10 }, {}, undefined],
    [{ ignitionOffMinutes: 10 }, { isOff: false }, 'ignition'],
    [{ ignitionOffMinutes: 10 }, { isOff: null }, 'no-ignition'],
    [{ uplinks: ['cellular', 'wifi'] }, {}, undefined],
    [{ uplinks: ['ethernet', 'wifi'] }, {}, 'uplink'],
    [{ uplinks: ['ethernet', 'wifi'] }, { uplink: null }, 'no-uplink'],
    [{ stillMinutes: 30 }, {}, undefined],
    [{ stillMinutes: 30 }, { isStill: false }, 'moving'],
    [{ stillMinutes: 30 }, { isStill: null }, 'no-position'],
    [{ geofences: ['depot', 'yard'] }, {}, undefined],
    [{ geofences: ['depot'] }, {}, 'geofence'],
    [{ geofences: ['depot'] }, { hasGeofence: false }, 'no-geofence'],
    [{ geofences: ['depot'] }, { isStill: null }, 'no-position'],
    [{ minVoltage: 12 }, {}, undefined],
    [{ minVoltage: 12 }, { voltage: 11.9 }, 'voltage'],
    [{ minVoltage: 12 }, { voltage: null }, 'no-voltage'],
    [{ minSignal: -100 }, {}, undefined],
    [{ minSignal: -80 }, {}, 'signal'],
    [{ minSignal: -80 }, { signal: null }, 'no-signal'],
    // Outside of the hours nothing else matters.
    [{ hours: night.hours!, minSignal: -80 }, { signal: null }, 'no-signal'],
  ])('%j of %j: %s', (window, facts, waits) => {
    expect(closed(window, facts)?.waits).toBe(waits);
  });

  test('everything that is named has to hold at the same time', () => {
    const all = { ...night, stillMinutes: 10, geofences: ['yard'], minVoltage: 12, minSignal: -100 };
    expect(closed(all)).toBeUndefined();
    expect(closed(all, { voltage: 11 })).toEqual({ waits: 'voltage' });
    expect(closed(all, { voltage: 11 }, '2026-11-27T06:00:00Z')?.waits).toBe('hours');
  });
});
