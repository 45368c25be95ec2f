import { describe, expect, test } from 'vitest';
import { MOST_COUNTED, readClientCounters, type ClientCounter } from './client-counters.ts';
import { countUse, type UseState } from './count-use.ts';
import { packCounters, packDay, unpackCounters, unpackDay } from './packed.ts';

const PHONE = '5A1122334455';
const MINUTE = 60_000;
const DAY = 86_400_000;
const noon = Date.UTC(2026, 10, 27, 12);
const host = (sent: number, received: number, more: Partial<ClientCounter> = {}): ClientCounter => ({
  mac: PHONE,
  name: 'phone',
  source: 'host',
  sent,
  received,
  ...more,
});

/** Readings a minute apart. @returns the use of today of each client, at the end */
function used(...readings: readonly (readonly ClientCounter[])[]): Record<string, [number, number]> {
  let state: UseState | undefined;
  readings.forEach((counters, index) => ({ state } = countUse(state, counters, noon + index * MINUTE, 'UTC')));
  return Object.fromEntries(state!.clients.map(({ mac, today }) => [mac, [today.sent, today.received]]));
}

describe('LIV-02-partial use of a client is never invented', () => {
  test.each<[string, readonly (readonly ClientCounter[])[], [number, number]]>([
    ['counts from the first reading on', [[host(1_000, 500)], [host(1_700, 600)]], [700, 100]],
    ['a counter that fell began again', [[host(1_000_000, 0)], [host(400, 20)], [host(500, 30)]], [500, 30]],
    ['one that is zero for a moment says nothing', [[host(1_000_000, 9)], [host(0, 0)], [host(1_000_050, 9)]], [50, 0]],
    [
      'one counter that wraps or begins again says nothing of the other',
      [[host(4_200_000_000, 300_000_000)], [host(10_000_000, 310_000_000)]],
      [10_000_000, 10_000_000],
    ],
    [
      'one counter that is zero for a moment says nothing, nor the other then',
      [[host(4_200_000_000, 300_000_000)], [host(0, 310_000_000)], [host(4_210_000_000, 320_000_000)], [host(4_210_000_000, 0)]],
      [10_000_000, 20_000_000],
    ],
    ['of one that joined again, a counter may be zero', [[host(9_000, 9_000)], [host(0, 60)], [host(0, 70)]], [0, 70]],
    ['an outdated copy says nothing', [[host(1_000, 100)], [host(900, 90)], [host(1_010, 101)]], [10, 1]],
    [
      'another counter begins again',
      [[host(10, 10)], [host(90_000, 90_000, { source: 'station' })], [host(90_005, 90_001, { source: 'station' })]],
      [5, 1],
    ],
    ['what is faster than a network is none', [[host(0, 1)], [host(9e15, 1)], [host(9e15 + 100, 1)]], [100, 0]],
    ['one that leaves and returns goes on', [[host(10, 0)], [host(30, 0)], [], [host(40, 0)]], [30, 0]],
  ])('%s', (_, readings, expected) => {
    expect(used(...readings)).toEqual({ [PHONE]: expected });
  });

  test('a station that joined since the last reading was counted from zero', () => {
    const station = (sent: number, since: number) => host(sent, 0, { source: 'station', since });
    expect(used([], [station(500, noon + 1_000)])).toEqual({ [PHONE]: [500, 0] });
    expect(used([], [station(500, noon - 1_000)])).toEqual({ [PHONE]: [0, 0] });
    expect(used([station(500, noon + 1_000)])).toEqual({ [PHONE]: [0, 0] });
  });

  test('what lies over midnight of the zone is divided by time, to the byte, and a day is closed once', () => {
    const zone = 'America/Chicago';
    const midnight = Date.UTC(2026, 10, 27, 6);
    const first = countUse(undefined, [host(0, 0)], midnight - 20 * MINUTE, zone).state;
    const before = countUse(first, [host(50, 0)], midnight - 10 * MINUTE, zone);
    expect(before.closed).toEqual([]);
    const { state, closed } = countUse(before.state, [host(151, 0)], midnight + 20 * MINUTE, zone);
    expect(closed).toEqual([{ day: midnight / DAY - 0.25 - 1, clients: [{ mac: PHONE, name: 'phone', sent: 83, received: 0 }] }]);
    expect(state.clients[0]!.today.sent).toBe(68);
    // Days behind a time that went back are not opened again.
    const back = countUse(state, [host(160, 0)], midnight - MINUTE, zone);
    expect([back.closed, back.state.day, back.state.clients[0]!.today.sent]).toEqual([[], state.day, 77]);
  });

  test('of a router that was off for weeks, the last three days have what was counted meanwhile', () => {
    const first = countUse(undefined, [host(0, 0)], noon, 'UTC').state;
    const { closed, state } = countUse(first, [host(3_000, 0)], noon + 30 * DAY, 'UTC');
    expect(closed.map(({ clients }) => clients[0]!.sent)).toEqual([500, 1_000, 1_000]);
    expect(state.clients[0]!.today.sent).toBe(500);
  });
});

describe('LIV-02-partial hostile lists of hosts', () => {
  const HOST = 'Device.Hosts.Host.';
  const rows = (count: number, macOf: (n: number) => string, name: string): [string, string][] =>
    Array.from({ length: count }, (_, n): [string, string][] => [
      [`${HOST}${n + 1}.PhysAddress`, macOf(n)],
      [`${HOST}${n + 1}.HostName`, name],
      [`${HOST}${n + 1}.WANStats.BytesSent`, '7'],
      [`${HOST}${n + 1}.WANStats.BytesReceived`, '9'],
    ]).flat();
  const mac = (n: number) => n.toString(16).padStart(12, '0');

  test('more than 5,000 are not counted, in one reading or in many, and names are bounded and clean', () => {
    const markup = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(500)}`;
    const first = readClientCounters(rows(6_000, mac, markup));
    expect(first).toHaveLength(MOST_COUNTED);
    expect(first[0]).toMatchObject({ sent: 9, received: 7 });
    expect(first[0]!.name.length).toBeLessThanOrEqual(64);
    expect(first[0]!.name).not.toMatch(/\u202e/u);
    let { state } = countUse(undefined, first, noon, 'UTC');
    for (let turn = 1; turn < 4; turn++)
      ({ state } = countUse(
        state,
        readClientCounters(rows(5_000, (n) => mac(n + turn * 10_000), 'new')),
        noon + turn * MINUTE,
        'UTC',
      ));
    expect(state.clients.length).toBeLessThanOrEqual(MOST_COUNTED);
    expect(unpackCounters(packCounters(state.clients))).toEqual(state.clients.map(({ since: _, ...client }) => client));
  });

  test('addresses and counters that are none are left out; the host of a device counts more than its station', () => {
    const found = readClientCounters([
      [`${HOST}1.PhysAddress`, 'not an address'],
      [`${HOST}1.WANStats.BytesSent`, '1'],
      [`${HOST}1.WANStats.BytesReceived`, '1'],
      [`${HOST}2.PhysAddress`, '02:00:00:00:00:02'],
      [`${HOST}2.WANStats.BytesSent`, '-1'],
      [`${HOST}2.WANStats.BytesReceived`, '99999999999999999999'],
      [`${HOST}3.PhysAddress`, '02:00:00:00:00:03'],
      [`${HOST}3.HostName`, 'tablet'],
      ['Device.WiFi.AccessPoint.1.AssociatedDevice.9.MACAddress', '02-00-00-00-00-03'],
      ['Device.WiFi.AccessPoint.1.AssociatedDevice.9.Stats.BytesSent', '5'],
      ['Device.WiFi.AccessPoint.1.AssociatedDevice.9.Stats.BytesReceived', '6'],
      [`${HOST}4`, 'x'],
      ...['constructor', '__proto__', '__defineGetter__'].map((name): [string, string] => [`${HOST}5.${name}`, 'x']),
      ['Device.WiFi.AccessPoint.1.', 'x'],
    ]);
    expect(found).toEqual([{ mac: '020000000003', name: 'tablet', source: 'station', sent: 5, received: 6 }]);
  });

  test('what is packed is read back as it was', () => {
    const clients = [0, 127, 128, 2 ** 31, Number.MAX_SAFE_INTEGER].map((sent, n) => ({
      mac: mac(n).toUpperCase(),
      name: '電話 ☎'.repeat(n),
      sent,
      received: 1,
    }));
    expect(unpackDay(packDay(clients))).toEqual(clients);
    const many = Array.from({ length: 5_000 }, (_, n) => ({
      mac: mac(n).toUpperCase(),
      name: 'x'.repeat(64),
      sent: n,
      received: n,
    }));
    expect(unpackDay(packDay(many))).toEqual(many);
  });
});
