import { describe, expect, it } from 'vitest';
import { cityRoute, cityRoutes } from './city-routes.ts';
import { fixesSince, isDriving, lastFix, placeAt, SHIFT_MS, TOP_KMH, type Drive } from './drive.ts';
import { compactTrail, pidfLo } from './pidf-lo.ts';
import { loopOf, type Route } from './route.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Streets around some blocks, 8 km, with a tunnel of 400 m. */
const route: Route = { ...loopOf([[41.88, -87.63], [41.9, -87.63], [41.9, -87.655], [41.88, -87.655]]), tunnelsKm: [[1, 1.4]] }; // prettier-ignore
const drive: Drive = { route: { ...route, driveKm: route.lengthKm * 2 }, seed: 3 };

/** When a drive begins, on a whole second. */
function startOfDrive(): number {
  let at = 20_000 * SHIFT_MS;
  while (isDriving(drive, at)) at += SECOND;
  while (!isDriving(drive, at)) at += SECOND;
  return at;
}

describe('POS-01-partial the drawn routes', () => {
  it('are there and back, driven at speeds of city traffic, and have their tunnels in both directions', () => {
    for (const name of cityRoutes) {
      const { lengthKm, driveKm, tunnelsKm = [], points, minutes = { drive: 40 } } = cityRoute(name);
      expect(driveKm).toBe(lengthKm);
      expect(lengthKm / (minutes.drive / 60), name).toBeGreaterThan(9);
      const speeds = Array.from(
        { length: 3 * 360 },
        (_, index) => placeAt({ route: cityRoute(name), seed: 5 }, (index + 1e5) * 10_000).speed,
      );
      expect(Math.max(...speeds), name).toBeLessThanOrEqual(TOP_KMH + 1);
      expect(Math.max(...speeds), name).toBeGreaterThan(20);
      const turn = points.length / 2;
      expect(points[turn - 1]).toEqual(points[turn + 1]);
      expect(tunnelsKm.every(([from, to]) => from >= 0 && to > from && to <= lengthKm)).toBe(true);
    }
    expect(cityRoute('red-line').tunnelsKm).toHaveLength(2);
  });
});

describe('POS-01-partial the drive of a simulated vehicle', () => {
  const start = startOfDrive();
  const parked = start + 40 * MINUTE;

  it('stops on the way, ends where it began, and is parked until the next one', () => {
    const seconds = Array.from({ length: 40 * 60 - 1 }, (_, index) => placeAt(drive, start + (index + 1) * SECOND));
    const standing = seconds.filter(({ speed }) => speed === 0).length / seconds.length;
    expect(standing).toBeGreaterThan(0.1);
    expect(standing).toBeLessThan(0.3);
    expect(Math.max(...seconds.map(({ speed }) => speed))).toBeLessThan(80);
    const begin = placeAt(drive, start - SECOND);
    const end = placeAt(drive, parked + MINUTE);
    expect(Math.hypot(end.latitude - begin.latitude, end.longitude - begin.longitude)).toBeLessThan(0.001);
    expect(end).toMatchObject({ speed: 0, hasFix: true });
  });

  it('records by time, by distance, at the start and at the stop, and never in a tunnel', () => {
    const fixes = fixesSince(drive, start - 5 * MINUTE, parked + 5 * MINUTE, 60 * SECOND);
    expect(fixes[0]!.at - start).toBeLessThan(10 * SECOND);
    expect(Math.abs(fixes.at(-1)!.at - parked)).toBeLessThan(10 * SECOND);
    const gaps = fixes.slice(1).map(({ at }, index) => at - fixes[index]!.at);
    expect(Math.min(...gaps)).toBeLessThan(60 * SECOND);
    expect(fixes.every(({ at }) => placeAt(drive, at).hasFix)).toBe(true);
    const covered = Array.from({ length: 480 }, (_, index) => placeAt(drive, start + index * 5 * SECOND)).filter(
      ({ hasFix }) => !hasFix,
    );
    expect(covered.length).toBeGreaterThan(4);
    expect(lastFix(drive, covered[0]!.at, 5 * SECOND)!.at).toBeLessThan(covered[0]!.at);
    expect(fixesSince(drive, parked + MINUTE, parked + 5 * MINUTE, 10 * SECOND)).toEqual([]);
  });

  it('is one position a fix: reports that follow each other hold the same fixes as one of all the time', () => {
    const all = fixesSince(drive, start, start + 10 * MINUTE, 10 * SECOND);
    expect(all.length).toBeGreaterThan(40);
    expect(new Set(all.map(({ at }) => at)).size).toBe(all.length);
    expect(compactTrail(all.slice(0, 2)).split(';')).toHaveLength(2);
    expect(pidfLo(all[0]!)).toContain(`<gml:pos>${all[0]!.latitude} ${all[0]!.longitude}</gml:pos>`);
  });
});
