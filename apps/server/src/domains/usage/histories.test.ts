import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { increaseBetween, type Reading } from './increase.ts';
import { mergeReadings, splitAll, type OwnedTime } from './split.ts';

/** `HIGHLINE_USAGE_HISTORIES=100000 HIGHLINE_SEED=… vitest run …/histories.test.ts` tries more of them, or the same ones again. */
const HISTORIES = Number(process.env['HIGHLINE_USAGE_HISTORIES'] ?? 2_000);
const SEED = process.env['HIGHLINE_SEED'];
const NOON = Date.parse('2026-11-23T12:00:00Z');
const MODEMS = [1, 2];
const always: OwnedTime[] = [{ organizationId: 'org', deviceId: 'device', from: 0, until: Infinity }];

type Arrives = 'now' | 'late' | 'twice' | 'never';
/** What happens to a router with two modems. `around`: it reports directly before and after, as ours do. */
type Step =
  | { readonly kind: 'traffic'; readonly seconds: number; readonly load: number; readonly upload: number }
  | { readonly kind: 'report'; readonly arrives: Arrives }
  | { readonly kind: 'zeros'; readonly modem: number; readonly which: 'both' | 'sent' | 'received' }
  | { readonly kind: 'reboot'; readonly seconds: number; readonly around: boolean }
  | { readonly kind: 'modem restart'; readonly modem: number; readonly around: boolean }
  | {
      readonly kind: 'switch';
      readonly modem: number;
      readonly iccid: string;
      readonly around: boolean;
      readonly resets: boolean;
    };

const modem = fc.constantFrom(...MODEMS);
const kind = <Kind extends Step['kind']>(name: Kind) => fc.constant(name);
/** Whole parts: doubles of fast-check are mostly next to nothing. */
const upTo = (most: number) => fc.integer({ min: 0, max: 1_000 }).map((parts) => (parts / 1_000) * most);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('traffic'),
      seconds: fc.oneof(fc.integer({ min: 10, max: 600 }), fc.integer({ min: 10, max: 40_000 })),
      // Of what the modem can do.
      load: fc.oneof(fc.constant(0), upTo(0.01), upTo(1)),
      upload: upTo(1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('report'),
      arrives: fc.constantFrom<Arrives>('now', 'now', 'now', 'late', 'twice', 'never'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('zeros'), modem, which: fc.constantFrom('both', 'both', 'sent', 'received') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('reboot'), seconds: fc.integer({ min: 10, max: 600 }), around: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('modem restart'), modem, around: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('switch'),
      modem,
      iccid: fc.constantFrom('A', 'B', 'C'),
      around: fc.boolean(),
      resets: fc.boolean(),
    }),
  },
);

const router = fc.record({
  /** Seconds at the beginning. */
  uptime: fc.constantFrom(100, 90_000, 4_294_900),
  uptimes: fc.constantFrom('whole', 'of 32 bit', 'none'),
  modems: fc.tuple(
    ...MODEMS.map(() =>
      fc.record({
        is32Bit: fc.boolean(),
        keeps: fc.boolean(),
        sent: fc.constantFrom(1_000, 3_000_000_000, 2 ** 32 - 5_000_000),
        received: fc.constantFrom(2_000, 2_600_000_000, 2 ** 32 - 50_000_000),
      }),
    ),
  ),
});

/** Bytes that a SIM really used, up to a time. */
interface Used {
  readonly at: number;
  readonly iccid: string;
  readonly sent: number;
  readonly received: number;
}

interface ModemState {
  readonly is32Bit: boolean;
  readonly keeps: boolean;
  sent: number;
  received: number;
  iccid: string;
  readonly used: Used[];
  /** When counters began again or wrapped. */
  readonly breaks: number[];
  readonly switches: number[];
  readonly inOrder: Reading[];
  readonly late: Reading[];
}

type Setup = typeof router extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs a history. @returns for each modem what it used, and what was reported of it */
function run(setup: Setup, steps: readonly Step[]): ModemState[] {
  let now = NOON;
  let started = now - setup.uptime * 1_000;
  const modems = setup.modems.map((each): ModemState => ({
    ...each,
    iccid: 'A',
    used: [],
    breaks: [],
    switches: [],
    inOrder: [],
    late: [],
  }));
  const of = (number: number) => modems[number - 1]!;
  const uptime = () => {
    const ms = now - started;
    return setup.uptimes === 'none' ? null : Math.floor((setup.uptimes === 'whole' ? ms : ms % 2 ** 32) / 1_000);
  };
  const shown = ({ is32Bit }: ModemState, bytes: number) => (is32Bit ? bytes % 2 ** 32 : bytes);
  const report = (arrives: Arrives, change: (reading: Reading) => Reading = (reading) => reading) => {
    for (const [index, state] of modems.entries()) {
      const { iccid } = state;
      const [sent, received] = [shown(state, state.sent), shown(state, state.received)];
      const made = change({ at: now, modem: index + 1, sent, received, uptime: uptime(), iccid });
      if (arrives === 'now' || arrives === 'twice') state.inOrder.push(made);
      if (arrives === 'late' || arrives === 'twice') state.late.push(made);
    }
    now += 1_000;
  };
  const beginAgain = (state: ModemState) => {
    [state.sent, state.received] = [0, 0];
    state.breaks.push(now);
  };
  const traffic = (seconds: number, load: number, upload: number) => {
    now += seconds * 1_000;
    for (const state of modems) {
      // LTE category 6, or as much as 5G does in good places.
      const [up, down] = state.is32Bit ? [50, 300] : [500, 1_500];
      const sent = Math.floor(((up * 1e6) / 8) * seconds * load * upload);
      const received = Math.floor(((down * 1e6) / 8) * seconds * load * (1 - upload));
      if (state.is32Bit)
        for (const [before, more] of [
          [state.sent, sent],
          [state.received, received],
        ] as const)
          if (Math.floor((before + more) / 2 ** 32) !== Math.floor(before / 2 ** 32)) state.breaks.push(now);
      state.sent += sent;
      state.received += received;
      state.used.push({ at: now, iccid: state.iccid, sent, received });
    }
  };
  const within = (around: boolean, change: () => void) => {
    if (around) report('now');
    change();
    if (around) report('now');
  };
  report('now');
  for (const each of steps) {
    if (each.kind === 'traffic') traffic(each.seconds, each.load, each.upload);
    else if (each.kind === 'report') report(each.arrives);
    else if (each.kind === 'zeros') {
      report('now');
      const zeros = { sent: 0, received: 0 };
      const change = each.which === 'both' ? zeros : { [each.which]: 0 };
      report('now', (reading) => (reading.modem === each.modem ? { ...reading, ...change } : reading));
      report('now');
    } else if (each.kind === 'reboot')
      within(each.around, () => {
        now += each.seconds * 1_000;
        started = now - 5_000;
        for (const state of modems) if (!state.keeps) beginAgain(state);
      });
    else if (each.kind === 'modem restart') within(each.around, () => beginAgain(of(each.modem)));
    else
      within(each.around, () => {
        of(each.modem).iccid = each.iccid;
        of(each.modem).switches.push(now);
        if (each.resets) beginAgain(of(each.modem));
      });
  }
  report('now');
  return modems;
}

describe('USE-01 data used over whole histories of a router with two modems', () => {
  test('is exact where counters go on, and else wrong by at most what was used between two reports, on the SIM that used it', () => {
    fc.assert(
      fc.property(
        router,
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (setup, steps, order) => {
          for (const { inOrder, late, used, breaks, switches } of run(setup, steps)) {
            let stored = mergeReadings([], inOrder);
            const shuffled = late
              .map((reading, index) => ({ reading, at: order[index] ?? index }))
              .toSorted((a, b) => a.at - b.at);
            for (const { reading } of [...shuffled, ...shuffled]) stored = mergeReadings(stored, [reading]);
            // Nothing but zeros is left out as long as counters go on.
            const said = [...inOrder, ...late].filter(({ sent, received }) => sent > 0 && received > 0);
            if (breaks.length === 0) expect(new Set(said.map(({ at }) => at)).size).toBe(stored.length);
            let counted = 0;
            for (const [index, after] of stored.entries()) {
              const before = stored[index - 1];
              if (before === undefined) continue;
              const between = used.filter(({ at }) => at > before.at && at <= after.at);
              const truth = between.reduce((sum, { sent, received }) => sum + sent + received, 0);
              const increase = increaseBetween(before, after)!;
              const bytes = increase.sent + increase.received;
              counted += bytes;
              const isBetween = (at: number) => at > before.at && at <= after.at;
              // Without a report at the switch it can be either.
              expect(switches.some(isBetween) ? [before.iccid, after.iccid] : [between[0]?.iccid ?? before.iccid]).toContain(
                increase.iccid,
              );
              if (breaks.some(isBetween)) expect(Math.abs(bytes - truth)).toBeLessThanOrEqual(truth);
              else expect(bytes).toBe(truth);
            }
            expect(splitAll(stored, always).reduce((sum, { sent, received }) => sum + sent + received, 0)).toBe(counted);
          }
        },
      ),
      { numRuns: HISTORIES, ...(SEED !== undefined && { seed: Number(SEED) }) },
    );
  }, 3_600_000);
});
