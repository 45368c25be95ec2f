import { diagnosisKinds, type Finding } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';
import type { DeviceFacts } from './facts.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);

const well: DeviceFacts = {
  volts: null,
  lowHours: 0,
  celsius: 52,
  rsrp: -96,
  idleHours: 0,
  losses: 3,
  lossHours: 3,
  lossesNow: 1,
  restarts: 3,
  restartsInHour: 1,
  clockSkewMs: 400,
  identity: null,
  positionFault: null,
  failedProfile: null,
  outOfMemory: null,
  isSimMissing: false,
  compared: [],
  worstPlace: null,
};
const found = (facts: Partial<DeviceFacts>) => diagnose({ ...well, ...facts }, NOW);
const kinds = (facts: Partial<DeviceFacts>) => found(facts).map(({ kind }) => kind);
const days = (...means: readonly number[]) =>
  means.map((mean, index) => ({ day: `2026-11-${20 + index}`, difference: mean * 100, samples: 100, cells: 12 + index }));

describe('the diagnosis of a device', () => {
  test('SAY-02-partial a healthy one, and one of which nothing is known, have none', () => {
    expect(found({})).toEqual([]);
    const nothing = {
      celsius: null,
      rsrp: null,
      losses: 0,
      lossHours: 0,
      lossesNow: 0,
      restarts: 0,
      restartsInHour: 0,
      clockSkewMs: null,
    };
    expect(found(nothing)).toEqual([]);
  });

  test('SAY-02-partial an antenna is suspected after two bad days, says since when, and no more once a day is good again', () => {
    expect(found({ compared: days(-1, -16, -17) })).toEqual([
      { kind: 'antenna', since: Date.parse('2026-11-21T00:00:00Z') / 1_000, db: -11.3, samples: 300, cells: 14 },
    ]);
    expect(kinds({ compared: days(-30) })).toEqual([]);
    expect(kinds({ compared: days(-7, -7.5, -7.9) })).toEqual([]);
    expect(kinds({ compared: days(-16, -17, -1) })).toEqual([]);
    expect(kinds({ compared: days(-16, -17).map((day) => ({ ...day, difference: day.difference / 10, samples: 10 })) })).toEqual(
      [],
    );
  });

  test.each([
    [
      { lowHours: 2, volts: 10.9 },
      { kind: 'supply', volts: 10.9, limit: 11.5, hours: 2 },
    ],
    [
      { lowHours: 5, volts: 21.84 },
      { kind: 'supply', volts: 21.8, limit: 23, hours: 5 },
    ],
    [{ lowHours: 1, volts: 9 }, undefined],
    [{ celsius: 75.04 }, { kind: 'heat', celsius: 75, limit: 75 }],
    [{ celsius: 74.9 }, undefined],
    [
      { restarts: 40, restartsInHour: 9 },
      { kind: 'restarts', restarts: 40, inHour: 9 },
    ],
    // A van whose router goes off with the ignition.
    [{ restarts: 12, restartsInHour: 2 }, undefined],
    [{ lossesNow: 5 }, { kind: 'unstable', losses: 5, minutes: 30 }],
    [{ lossesNow: 4 }, undefined],
    [
      { losses: 10, lossHours: 3 },
      { kind: 'drops', losses: 10, place: null },
    ],
    // One bad hour.
    [{ losses: 30, lossHours: 2 }, undefined],
    [{ isSimMissing: true }, { kind: 'sim', cause: 'missing', hours: null }],
    [{ idleHours: 22 }, { kind: 'sim', cause: 'idle', hours: 22 }],
    [{ idleHours: 22, rsrp: -125 }, undefined],
    [{ idleHours: 19 }, undefined],
    [{ clockSkewMs: 4_000_000 }, { kind: 'clock', seconds: 4_000 }],
    [{ clockSkewMs: -301_000 }, { kind: 'clock', seconds: -301 }],
    [{ clockSkewMs: 299_000 }, undefined],
    [{ clockSkewMs: -(2 ** 31 - 1) }, { kind: 'clock', seconds: -2_147_484 }],
  ])('SAY-02-partial %o', (facts, expected) => {
    expect(found(facts)).toEqual(expected === undefined ? [] : [{ since: NOW.getTime() / 1_000, ...expected }]);
  });

  test('SAY-02-partial connections lost where others lose theirs are of the place, not of the router', () => {
    const place = { latitude: 41.968, longitude: -87.651, losses: 9, others: 6 };
    const common = { losses: 12, lossHours: 6 };
    const { others, ...shown } = place;
    expect(found({ ...common, worstPlace: place })).toEqual([
      { kind: 'place', since: NOW.getTime() / 1_000, losses: 12, place: shown, others },
    ]);
    expect(found({ ...common, worstPlace: { ...place, others: 2 } })).toEqual([
      { kind: 'drops', since: NOW.getTime() / 1_000, losses: 12, place: shown },
    ]);
    expect(kinds({ ...common, worstPlace: { ...place, losses: 6 } })).toEqual(['drops']);
  });

  test('SAY-02-partial positions and identities say since when, and old ones nothing', () => {
    const fault = { reason: 'future' as const, count: 40, since: ago(30), at: ago(1) };
    expect(found({ positionFault: fault })).toEqual([
      { kind: 'position', since: ago(30).getTime() / 1_000, reason: 'future', count: 40 },
    ]);
    expect(kinds({ positionFault: { ...fault, at: ago(25) } })).toEqual([]);
    const identity = { reason: 'serial-mismatch' as const, at: ago(2) };
    expect(found({ identity })).toEqual([{ kind: 'identity', since: ago(2).getTime() / 1_000, cause: 'serial-mismatch' }]);
  });

  test('SAY-02-partial causes come before what follows from them', () => {
    const all: Finding['kind'][] = kinds({
      identity: { reason: 'identity-shared', at: ago(1) },
      lowHours: 3,
      volts: 11,
      compared: days(-16, -17),
      celsius: 90,
      restarts: 40,
      restartsInHour: 9,
      isSimMissing: true,
      outOfMemory: ago(3),
      lossesNow: 8,
      losses: 40,
      lossHours: 9,
      positionFault: { reason: 'future', count: 1, since: ago(2), at: ago(1) },
      clockSkewMs: 1e6,
    });
    expect(all).toEqual(diagnosisKinds.filter((kind) => kind !== 'place'));
  });
});
