import { expect, test } from 'vitest';
import { Balance, defaultBalance } from './balance.ts';

interface Simulated {
  /** Routers of this process, and of the others. */
  own: number;
  others: (number | null)[];
  readonly events: string[];
  /** The most that left within one second. */
  most: number;
  sent: number;
}

/** @param lead which process a router comes to that was sent away, 20 s later; undefined = this one */
function simulate(
  start: Pick<Simulated, 'own' | 'others'>,
  seconds: number,
  lead: (fleet: Simulated) => number | undefined,
  busy = 0,
): Simulated {
  const balance = new Balance(defaultBalance);
  const fleet: Simulated = { own: start.own, others: [...start.others], events: [], most: 0, sent: 0 };
  const away: number[] = [];
  for (let second = 0; second < seconds; second++) {
    for (; away.length > 0 && away[0]! <= second; away.shift()) {
      const to = lead(fleet);
      if (to === undefined) fleet.own += 1;
      else fleet.others[to] = (fleet.others[to] ?? 0) + 1;
    }
    const { count, event } = balance.next(fleet.own, fleet.others, second * 1_000);
    const sent = Math.max(0, Math.min(count, fleet.own - busy));
    balance.sent(sent);
    fleet.own -= sent;
    fleet.sent += sent;
    fleet.most = Math.max(fleet.most, sent);
    for (let n = 0; n < sent; n++) away.push(second + 20);
    if (event !== undefined) fleet.events.push(event);
  }
  return fleet;
}

const emptiest = ({ others }: Simulated) => others.indexOf(Math.min(...others.map((n) => n ?? 0)));

test('NOD-02-partial after a rolling restart the full process sends half of its routers to the empty one, a few a second, and no more', () => {
  const { own, others, events, most, sent } = simulate({ own: 2_000, others: [3] }, 900, emptiest);
  expect([own, others, sent]).toEqual([1_002, [1_001], 998]);
  expect(events).toEqual(['begun', 'ended']);
  expect(most).toBe(defaultBalance.perSecond);
});

test('NOD-02-partial a proxy that goes from one process to the next, this one included, leads to balance in rounds', () => {
  let turn = 0;
  const { own, others, events } = simulate({ own: 3_000, others: [0, 0] }, 3_600, () => [undefined, 0, 1][turn++ % 3]);
  expect(own + others[0]! + others[1]!).toBe(3_000);
  expect(own).toBeLessThanOrEqual(1_250);
  expect(events.slice(-1)).toEqual(['ended']);
});

test('NOD-02-partial routers that the proxy leads back are not sent away again within the hour', () => {
  const { own, events, sent } = simulate({ own: 2_000, others: [0] }, 3_000, () => undefined);
  expect([own, sent, events]).toEqual([2_000, 1_000, ['begun', 'without effect']]);
});

test('NOD-02-partial nothing is sent away for a small difference, by the only process, or while one does not say how many it has', () => {
  for (const [own, others] of [
    [1_200, [1_000]],
    [190, [0]],
    [5_000, []],
    [5_000, [0, null]],
  ] as const)
    expect(simulate({ own, others: [...others] }, 600, emptiest).sent).toBe(0);
});

test('NOD-02-partial a difference that passes, and routers that are busy, change nothing', () => {
  const balance = new Balance(defaultBalance);
  for (let second = 0; second < 600; second++)
    expect(balance.next(2_000, [second % 50 === 0 ? 2_000 : 0], second * 1_000)).toEqual({ count: 0 });
  expect(simulate({ own: 2_000, others: [0] }, 600, emptiest, 2_000).sent).toBe(0);
});

test('NOD-02-partial it stops when the others get as many meanwhile, or end', () => {
  for (const others of [[2_000], []]) {
    const balance = new Balance({ ...defaultBalance, steadyMs: 0 });
    for (const now of [0, 1]) balance.next(2_000, [0], now);
    expect(balance.next(2_000, [0], 2).count).toBe(25);
    expect([3, 4, 5].map((now) => balance.next(2_000, others, now).count)).toEqual([0, 0, 0]);
  }
});
