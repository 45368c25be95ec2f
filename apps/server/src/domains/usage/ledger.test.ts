import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCounters } from './counters.ts';
import { increaseBetween, type Reading } from './increase.ts';
import { mergeReadings, splitAll, splitIncrease, type OwnedTime } from './split.ts';

const A = '89014103211118510720';
const B = '8944110068123456783';
const NOON = Date.parse('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;
const always: OwnedTime[] = [{ organizationId: 'org', deviceId: 'device', from: 0, until: Infinity }];
const reading = (seconds: number, sent: number, received: number, more: Partial<Reading> = {}): Reading => ({
  at: NOON + seconds * 1_000,
  modem: 1,
  sent,
  received,
  uptime: 10_000 + seconds,
  iccid: A,
  ...more,
});

describe('USE-01-partial the increase between two readings', () => {
  const unknown = { uptime: null };
  test.each<[string, Reading, Reading, unknown]>([
    ['grows', reading(0, 10, 20), reading(60, 15, 120), { sent: 5, received: 100 }],
    [
      'a restart, and both counters are higher: kept',
      reading(0, 10, 20),
      reading(60, 15, 120, { uptime: 30 }),
      { sent: 5, received: 100, from: NOON },
    ],
    [
      'a restart, and both are lower: those since then, for the later SIM',
      reading(0, 1_000, 2_000),
      reading(60, 15, 120, { uptime: 30, iccid: B }),
      { sent: 15, received: 120, iccid: B, from: NOON + 30_000 },
    ],
    ['wraps at 32 bit', reading(0, 2 ** 32 - 10, 20), reading(60, 15, 120), { sent: 25, received: 100 }],
    [
      'falls from near 2^32 with another SIM: began again, not a wrap',
      reading(0, 2 ** 32 - 10, 20),
      reading(60, 15, 120, { iccid: B }),
      { sent: 15, received: 100, iccid: B },
    ],
    [
      'a wrap faster than a modem of 32 bit: began again',
      reading(0, 3e9, 10e9),
      reading(60, 1e6, 10.1e9),
      { sent: 1e6, received: 0.1e9 },
    ],
    [
      'a wrap that would be more than the counters show: began again',
      reading(0, 3e9, 60e6),
      reading(3_600, 5e6, 100e6),
      { sent: 5e6, received: 40e6 },
    ],
    [
      'both fall from above 2 GiB while the router runs: the modem began again',
      reading(0, 3_000_000_000, 2_600_000_000),
      reading(60, 1_000_000, 5_000_000),
      { sent: 1_000_000, received: 5_000_000 },
    ],
    [
      'both fall, and no uptime: began again',
      reading(0, 2 ** 32 - 10, 2 ** 32 - 1, unknown),
      reading(60, 15, 1, unknown),
      { sent: 15, received: 1 },
    ],
    ['zeros for a moment', reading(0, 5_000, 9_000), reading(60, 0, 0), undefined],
    ['one zero for a moment', reading(0, 5_000, 9_000), reading(60, 0, 9_100), undefined],
    ['one zero for a week: believed', reading(0, 5_000, 9_000), reading(604_800, 0, 9_100), { sent: 0, received: 100 }],
    ['from zeros, which say nothing', reading(0, 0, 0), reading(60, 5_000, 9_000), { sent: 0, received: 0 }],
    ['more than any modem can move', reading(0, 5_000, 9_000), reading(60, 9e15, 9_100), { sent: 0, received: 0 }],
    [
      'an uptime of 32 bit in milliseconds that began again is no restart',
      reading(0, 5_000_000, 9_000_000, { uptime: 4_294_967 }),
      reading(60, 5_100_000, 9_200_000, { uptime: 59, iccid: B }),
      { sent: 100_000, received: 200_000, iccid: A },
    ],
    [
      'a modem that began again while the router ran',
      reading(0, 5_000, 9_000),
      reading(60, 15, 120),
      { sent: 15, received: 120 },
    ],
    [
      'another SIM, and counters that began again but not by much',
      reading(0, 50, 90),
      reading(60, 40, 80, { iccid: B }),
      { sent: 40, received: 80 },
    ],
    ['backwards a little: an outdated copy', reading(0, 5_000, 9_000), reading(60, 4_900, 8_800), undefined],
    ['one backwards a little', reading(0, 5_000, 9_000, unknown), reading(60, 4_900, 9_001, unknown), undefined],
  ])('%s', (_, before, after, increase) => {
    const found = increaseBetween(before, after);
    if (increase === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(increase as object);
  });

  test('is divided by midnight in UTC and by owner, and never loses a byte', () => {
    const owners: OwnedTime[] = [
      { organizationId: 'first', deviceId: 'd1', from: 0, until: NOON + 6 * 3_600_000 },
      { organizationId: 'second', deviceId: 'd2', from: NOON + 6 * 3_600_000, until: Infinity },
    ];
    const parts = splitIncrease(reading(0, 1, 1), reading(86_400, 102, 1, { iccid: B }), owners);
    expect(parts.map(({ organizationId, day, sent }) => [organizationId, day - Math.floor(NOON / DAY_MS), sent])).toEqual([
      ['first', 0, 25],
      ['second', 0, 25],
      ['second', 1, 51],
    ]);
    expect(parts.every(({ iccid }) => iccid === A)).toBe(true);
    // Midnight of the owner's zone: 06:00 UTC in Chicago.
    const chicago = splitIncrease(reading(0, 1, 1), reading(86_400, 102, 1), [{ ...always[0]!, zone: 'America/Chicago' }]);
    expect(chicago.map(({ day, sent }) => [day - Math.floor(NOON / DAY_MS), sent])).toEqual([
      [0, 75],
      [1, 26],
    ]);
    // Time in stock belongs to no organization.
    expect(splitIncrease(reading(0, 1, 1), reading(100, 101, 101), [{ ...owners[0]!, until: NOON + 50_000 }])).toMatchObject([
      { sent: 50, received: 50 },
    ]);
  });
});

describe('USE-01-partial counters in a report', () => {
  const stats = (modem: number, sent: unknown, received: unknown): [string, unknown][] => [
    [`Device.Cellular.Interface.${modem}.Stats.BytesSent`, sent],
    [`Device.Cellular.Interface.${modem}.Stats.BytesReceived`, received],
  ];
  const inUse = { modem: 1, sims: new Map([[1, 1]]) };

  test('two SIMs in one report: each modem with its own, by either place of its number', () => {
    const usim: [string, unknown][] = [
      ['Device.Cellular.Interface.1.USIM.ICCID', A],
      ['Device.Cellular.Interface.2.USIM.ICCID', B],
      ['Device.DeviceInfo.UpTime', 77],
    ];
    expect(readCounters([...stats(2, '5', '6'), ...usim, ...stats(1, 3, 4)], inUse, 9)).toEqual(
      [
        { at: 9, modem: 1, sent: 3, received: 4, uptime: 77, iccid: A },
        { at: 9, modem: 2, sent: 5, received: 6, uptime: 77, iccid: B },
      ].toSorted((a, b) => b.modem - a.modem),
    );
    const sims: [string, unknown][] = [
      ['Device.TrustedElements.SIM.1.ICCID', A],
      ['Device.TrustedElements.SIM.2.ICCID', B],
    ];
    expect(readCounters([...stats(1, 1, 1), ...stats(2, 2, 2), ...sims], inUse, 9).map(({ iccid }) => iccid)).toEqual([A, B]);
    // One modem and two SIMs: the one in use.
    expect(readCounters([...stats(1, 1, 1), ...sims], { modem: 1, sims: new Map([[1, 2]]) }, 9)).toMatchObject([{ iccid: B }]);
    expect(readCounters(stats(1, 1, 1), inUse, 9)).toMatchObject([{ iccid: null, uptime: null }]);
    // The SIM that the router shows is that of the modem in use, and not of another one.
    expect(readCounters([...stats(1, 1, 1), ...stats(2, 2, 2)], inUse, 9).map(({ iccid }) => iccid)).toEqual([null, '']);
  });

  test('what is no counter is left out: negative, fractions, text, half of a pair, too large', () => {
    for (const value of [-1, 1.5, 'many', '', null, {}, Number.NaN, '99999999999999999999', true])
      expect(readCounters(stats(1, value, 5), inUse, 9)).toEqual([]);
    expect(readCounters([['Device.Cellular.Interface.x.Stats.BytesSent', 1]], inUse, 9)).toEqual([]);
    expect(readCounters(Array.from({ length: 50 }, (_, n) => stats(n + 1, 1, 1)).flat(), inUse, 9)).toHaveLength(8);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.jsonValue()), { maxLength: 5 }), (values) => {
        expect(readCounters([...values, ...stats(1, 1, 2)], inUse, 9)).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });
});

/** What happens to a router of the model. */
type Step =
  | { readonly kind: 'traffic'; readonly seconds: number; readonly sent: number; readonly received: number }
  /** A report, which arrives now, late, twice, or never. */
  | { readonly kind: 'report'; readonly arrives: 'now' | 'late' | 'twice' | 'never' }
  | { readonly kind: 'reboot'; readonly seconds: number }
  | { readonly kind: 'switch'; readonly iccid: string }
  | { readonly kind: 'transfer'; readonly to: string };

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('traffic' as const),
      seconds: fc.integer({ min: 10, max: 40_000 }),
      sent: fc.integer({ min: 0, max: 1_000_000_000 }),
      received: fc.integer({ min: 0, max: 2_000_000_000 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      arrives: fc.constantFrom('now', 'now', 'late', 'twice', 'never'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reboot' as const), seconds: fc.integer({ min: 10, max: 600 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), iccid: fc.constantFrom(A, B) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('transfer' as const), to: fc.constantFrom('x', 'y', '') }) },
);

/**
 * The model: a router that counts what it really sends, in which SIM, on which day and for whom. It reports at midnight and at each switch,
 * transfer and restart, as our agents do, so that each byte lies between two reports with one owner, one SIM and one day. A report that never
 * arrives is the only loss of precision, which the second property is about.
 */
function run(steps: readonly Step[], is32Bit: boolean) {
  let now = NOON;
  let started = now - 100_000;
  let iccid = A;
  let owner = 'x';
  const owners: OwnedTime[] = [];
  let ownedFrom = 0;
  const counters = { sent: 1_000, received: 2_000 };
  const truth = new Map<string, { sent: number; received: number }>();
  const total = { sent: 0, received: 0 };
  const inOrder: Reading[] = [];
  const late: Reading[] = [];
  const modulus = is32Bit ? 2 ** 32 : Number.MAX_SAFE_INTEGER;
  const report = (arrives: 'now' | 'late' | 'twice' | 'never') => {
    const uptime = Math.floor((now - started) / 1_000);
    const made: Reading = {
      at: now,
      modem: 1,
      sent: counters.sent % modulus,
      received: counters.received % modulus,
      uptime,
      iccid,
    };
    if (arrives === 'now' || arrives === 'twice') inOrder.push(made);
    if (arrives === 'late' || arrives === 'twice') late.push(made);
    // The clock goes on, so that two reports differ in time.
    now += 1;
  };
  const count = (sent: number, received: number, ms: number) => {
    counters.sent += sent;
    counters.received += received;
    const key = `${owner} ${Math.floor(now / DAY_MS)} ${iccid}`;
    const before = truth.get(key) ?? { sent: 0, received: 0 };
    if (owner !== '' && sent + received > 0) truth.set(key, { sent: before.sent + sent, received: before.received + received });
    total.sent += sent;
    total.received += received;
    now += ms;
  };
  report('now');
  for (const each of steps) {
    if (each.kind === 'report') report(each.arrives);
    else if (each.kind === 'switch') {
      report('now');
      ({ iccid } = each);
      report('now');
    } else if (each.kind === 'reboot') {
      count(5, 5, 1_000);
      report('now');
      now += each.seconds * 1_000;
      started = now - 5_000;
      counters.sent = 0;
      counters.received = 0;
      count(1, 1, 0);
      report('now');
    } else if (each.kind === 'transfer') {
      const at = now;
      report('now');
      if (owner !== '') owners.push({ organizationId: owner, deviceId: owner, from: ownedFrom, until: at });
      owner = each.to;
      ownedFrom = at;
    } else {
      const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
      const [ms, before] = [each.seconds * 1_000, midnight - now];
      if (ms < before) count(each.sent, each.received, ms);
      else {
        count(each.sent, 0, before);
        report('now');
        count(0, each.received, ms - before + 1);
      }
    }
  }
  report('now');
  if (owner !== '') owners.push({ organizationId: owner, deviceId: owner, from: ownedFrom, until: Infinity });
  return { inOrder, late, owners, truth, total };
}

function ledgerOf(readings: readonly Reading[], owners: readonly OwnedTime[]) {
  const sums = new Map<string, { sent: number; received: number }>();
  for (const { organizationId, day, iccid, sent, received } of splitAll(readings, owners)) {
    const key = `${organizationId} ${day} ${iccid}`;
    const before = sums.get(key) ?? { sent: 0, received: 0 };
    sums.set(key, { sent: before.sent + sent, received: before.received + received });
  }
  return sums;
}

describe('USE-01 bytes per ICCID, direction and day', () => {
  const steps = fc.array(step, { maxLength: 40 });
  const sorted = (sums: ReadonlyMap<string, unknown>) => [...sums].toSorted(([a], [b]) => a.localeCompare(b));

  test('are exact against a model over resets, restarts, wraps, SIM switches, missed, late and repeated reports, and transfers', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), fc.array(fc.nat(), { maxLength: 60 }), (all, is32Bit, order) => {
        // A 32-bit counter that wraps more than half its range between two reports cannot be followed by anyone.
        const seen = is32Bit
          ? all.map((each) =>
              each.kind === 'traffic' ? { ...each, sent: (each.sent / 100) | 0, received: (each.received / 50) | 0 } : each,
            )
          : all;
        const { inOrder, late, owners, truth } = run(seen, is32Bit);
        // Late ones arrive in any order, one by one, and all of them once more.
        let stored = mergeReadings([], inOrder);
        const shuffled = late.map((reading, index) => ({ reading, at: order[index] ?? index })).toSorted((a, b) => a.at - b.at);
        for (const { reading } of [...shuffled, ...shuffled]) stored = mergeReadings(stored, [reading]);
        expect(mergeReadings(stored, [...inOrder, ...late])).toEqual(stored);
        expect(sorted(ledgerOf(stored, owners))).toEqual(sorted(truth));
      }),
      { numRuns: 300 },
    );
  });

  test('add up to what the counters say whichever reports are missed', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 6 }), (all, every) => {
        const plain = all.filter(({ kind }) => kind === 'traffic' || kind === 'switch' || kind === 'report');
        const { inOrder, late, total } = run(plain, false);
        const complete = mergeReadings(mergeReadings([], inOrder), late);
        const some = complete.filter((_, index) => index % every === 0 || index === complete.length - 1);
        const sum = { sent: 0, received: 0 };
        for (const part of splitAll(some, always)) {
          sum.sent += part.sent;
          sum.received += part.received;
        }
        expect(sum).toEqual(total);
      }),
      { numRuns: 200 },
    );
  });
});
