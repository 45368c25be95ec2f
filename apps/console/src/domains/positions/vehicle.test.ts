import type { FeatureCollection } from 'geojson';
import { describe, expect, test } from 'vitest';
import { mapAppAddress } from './map-app.ts';
import { drawVehicles } from './vehicle-layers.ts';
import { byName, isMoving, merged, replaced, toneOf, vehicleOf, type Vehicle } from './vehicle.ts';

const NOW = 1_795_435_200;
const bus = vehicleOf(['a', 'Bus 9', 41.88, -87.63, NOW - 10, 'online', -70, 31, 270, 5, false, null, null]);
const changed = (part: Partial<Vehicle>): Vehicle => ({ ...bus, ...part });

describe('a vehicle on the map', () => {
  test('POS-07-partial has the colour of its state, or that of no position for 24 hours', () => {
    expect(toneOf(bus, 'state', NOW)).toBe('ok');
    expect(toneOf(changed({ presence: 'offline' }), 'state', NOW)).toBe('bad');
    expect(toneOf(changed({ presence: 'unknown' }), 'state', NOW)).toBe('none');
    expect(toneOf(changed({ at: NOW - 86_401 }), 'state', NOW)).toBe('warn');
  });

  test('SAY-04 has no colour of a fault when it is parked or in planned work, however old its position is', () => {
    expect(toneOf(changed({ presence: 'parked', at: NOW - 86_401 }), 'state', NOW)).toBe('none');
    expect(toneOf(changed({ presence: 'planned' }), 'state', NOW)).toBe('none');
  });

  test('ALR-03-partial or the colour of its most severe open alert', () => {
    const tones = ([null, 'info', 'warning', 'critical'] as const).map((alert) => toneOf(changed({ alert }), 'alert', NOW));
    expect(tones).toEqual(['ok', 'warn', 'warn', 'bad']);
  });

  test('POS-02-partial or the colour of its signal, which a vehicle that is not online does not have', () => {
    expect([-60, -80, -100].map((rssi) => toneOf(changed({ rssi }), 'signal', NOW))).toEqual(['ok', 'warn', 'bad']);
    expect(toneOf(changed({ rssi: null }), 'signal', NOW)).toBe('none');
    expect(toneOf(changed({ presence: 'offline' }), 'signal', NOW)).toBe('none');
  });

  test('POS-02-partial moves from 3 km/h on; without a speed nothing is said', () => {
    expect([null, 0, 2.9, 3].map((speed) => isMoving(changed({ speed })))).toEqual([undefined, false, false, true]);
  });

  test('POS-02-partial newer positions take the place of older ones; one that comes late does not; the list counts as people do', () => {
    const late = changed({ at: NOW - 60, latitude: 1 });
    expect(merged([bus], [late])).toEqual([bus]);
    const other = changed({ device: 'b', name: 'Bus 10' });
    expect(merged([bus], [other, changed({ latitude: 2 })]).map(({ name, latitude }) => [name, latitude])).toEqual([
      ['Bus 9', 2],
      ['Bus 10', 41.88],
    ]);
    // What did not change is the same, also when all of it is fetched again.
    const list = [bus, other];
    expect(merged(list, [changed({})])).toBe(list);
    expect(replaced(list, [{ ...other }, changed({})])).toBe(list);
    expect(replaced(list, [{ ...other }])).toEqual([other]);
    expect(replaced(list, [{ ...other }, changed({ at: NOW - 60 })])[0]).toMatchObject({ at: NOW - 60 });
    expect(replaced(list, [{ ...other }, changed({ name: 'Bus 11' })]).map(({ name }) => name)).toEqual(['Bus 10', 'Bus 11']);
    expect(byName([changed({ device: 'd' }), changed({ device: 'c' })]).map(({ device }) => device)).toEqual(['c', 'd']);
  });

  test('POS-02-partial is drawn again only if it changed; all are drawn when most did', async () => {
    const drawn: (number | readonly string[])[] = [];
    const draw = drawVehicles({
      setData: async (data) => void drawn.push((data as FeatureCollection).features.length),
      updateData: async ({ add = [], remove = [] }) =>
        void drawn.push([...add.map(({ properties }) => String(properties!['device'])), ...remove.map((id) => `-${id}`)]),
    });
    const fleet = ['b', 'c', 'd', 'e'].map((device) => changed({ device, name: device }));
    await draw(fleet, 'state', NOW);
    await draw(fleet, 'state', NOW + 1);
    const moved = merged(fleet, [changed({ device: 'c', name: 'c', latitude: 3 })]);
    await draw(moved, 'state', NOW + 1);
    await draw(moved.slice(0, 3), 'state', NOW + 1);
    // All of them have the colour of an old position now.
    await draw(moved.slice(0, 3), 'state', NOW + 100_000);
    await draw([], 'state', NOW);
    expect(drawn).toEqual([4, ['c'], ['-e'], 3, 0]);
  });
});

test('SAY-07-partial a place opens in the map of the device at hand', () => {
  expect(mapAppAddress(41.9, -87.6, 'Mozilla/5.0 (Linux; Android 15)')).toBe('geo:41.9,-87.6?q=41.9,-87.6');
  expect(mapAppAddress(41.9, -87.6, 'Mozilla/5.0 (iPhone; CPU iPhone OS 19)')).toBe(
    'https://maps.apple.com/?ll=41.9,-87.6&q=41.9,-87.6',
  );
  expect(mapAppAddress(41.9, -87.6, 'Mozilla/5.0 (X11; Linux x86_64)')).toBe(
    'https://www.openstreetmap.org/?mlat=41.9&mlon=-87.6#map=17/41.9/-87.6',
  );
});
