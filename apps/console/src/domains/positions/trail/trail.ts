import { positions, signalQuality } from '@highline/contract';
import type { Feature, FeatureCollection, LineString, Point } from 'geojson';
import { wrapLongitude } from '../../../entities/map/bounds.ts';
import type { TimePoint } from '../../../ui/chart/points.ts';

/** A position of a trail. */
export interface Fix {
  /** Epoch seconds. */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Km/h. */
  readonly speed: number | null;
  /** Degrees from north. */
  readonly heading: number | null;
  /** Metres. */
  readonly accuracy: number | null;
  /** RSSI, dBm. */
  readonly signal: number | null;
  readonly isJump: boolean;
}

/** A position as the server writes it. */
export function fixOf(row: positions.TrailFix): Fix {
  const [at, latitude, longitude, speed, heading, accuracy, signal, isJump] = row;
  return { at, latitude, longitude, speed, heading, accuracy, signal, isJump };
}

/** What the colours of a trail mean. */
export const trailColors = ['speed', 'signal'] as const;
export type TrailColor = (typeof trailColors)[number];

/** Km/h at which the next colour begins. */
export const SPEED_LIMITS = [20, 50, 80] as const;

export const trailTones = {
  speed: ['slow', 'city', 'road', 'fast', 'none'],
  signal: ['good', 'fair', 'poor', 'none'],
} as const;
export type TrailTone = (typeof trailTones)[TrailColor][number];

/** The colour of a position. */
export function trailToneOf({ speed, signal }: Pick<Fix, 'speed' | 'signal'>, by: TrailColor): TrailTone {
  if (by === 'signal') return signal === null ? 'none' : signalQuality('rssi', signal);
  if (speed === null) return 'none';
  const passed = SPEED_LIMITS.filter((limit) => speed >= limit).length;
  return trailTones.speed[passed]!;
}

type Span = readonly [from: number, until: number];

/** Longitudes that go on beyond the date line, where the trail crosses it. */
function continued(fixes: readonly Fix[]): number[] {
  let turn = 0;
  return fixes.map(({ longitude }, index) => {
    const before = fixes[index - 1]?.longitude ?? longitude;
    if (longitude - before > 180) turn -= 360;
    if (before - longitude > 180) turn += 360;
    return longitude + turn;
  });
}

/** The trail as lines, each of one colour; `tone` is `gap` between two positions where the vehicle was not followed, or jumped. */
export function linesOf(fixes: readonly Fix[], gaps: readonly Span[], by: TrailColor): FeatureCollection<LineString> {
  const begins = new Set(gaps.map(([from]) => from));
  const longitudes = continued(fixes);
  const features: Feature<LineString, { tone: TrailTone | 'gap' }>[] = [];
  for (let index = 1; index < fixes.length; index += 1) {
    const [before, fix] = [fixes[index - 1]!, fixes[index]!];
    const tone = fix.isJump || begins.has(before.at) ? 'gap' : trailToneOf(fix, by);
    const place = [longitudes[index]!, fix.latitude];
    const line = features.at(-1);
    if (line?.properties.tone === tone) line.geometry.coordinates.push(place);
    else {
      const coordinates = [[longitudes[index - 1]!, before.latitude], place];
      features.push({ type: 'Feature', properties: { tone }, geometry: { type: 'LineString', coordinates } });
    }
  }
  return { type: 'FeatureCollection', features };
}

/** Places as points, numbered from 0. */
export function pointsOf(places: readonly Pick<Fix, 'latitude' | 'longitude'>[]): FeatureCollection<Point> {
  return {
    type: 'FeatureCollection',
    features: places.map(({ latitude, longitude }, index) => ({
      type: 'Feature',
      properties: { index },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  };
}

/** The index of the position nearest to a place, as the map shows it. */
export function nearestTo(
  fixes: readonly Pick<Fix, 'latitude' | 'longitude'>[],
  { lng, lat }: { lng: number; lat: number },
): number {
  const shrink = Math.cos((lat * Math.PI) / 180);
  let [best, least] = [0, Infinity];
  for (const [index, { longitude, latitude }] of fixes.entries()) {
    const away = (wrapLongitude(longitude - lng) * shrink) ** 2 + (latitude - lat) ** 2;
    if (away < least) [best, least] = [index, away];
  }
  return best;
}

/** The position at a time, or the last one before it; the first one if there is none before. @returns its index */
export function fixAt(fixes: readonly Pick<Fix, 'at'>[], at: number): number {
  let [low, high] = [0, fixes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fixes[middle]!.at <= at) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

const MINUTE = 60;

/** A value over time, one point for each minute: its mean, least and greatest, and the time of its first position. */
export function minutesOf(fixes: readonly Fix[], value: (fix: Fix) => number | null): Required<TimePoint>[] {
  const minutes = new Map<number, { at: number; sum: number; count: number; low: number; high: number }>();
  for (const fix of fixes) {
    const measured = value(fix);
    if (measured === null) continue;
    const minute = Math.floor(fix.at / MINUTE);
    const { at, sum, count, low, high } = minutes.get(minute) ?? { at: fix.at, sum: 0, count: 0, low: measured, high: measured };
    minutes.set(minute, {
      at,
      sum: sum + measured,
      count: count + 1,
      low: Math.min(low, measured),
      high: Math.max(high, measured),
    });
  }
  return [...minutes.values()].map(({ at, sum, count, low, high }) => ({ at, value: sum / count, low, high }));
}
