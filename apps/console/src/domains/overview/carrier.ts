import { useEffect } from 'react';
import { readOwn, writeOwn } from '../../ui/preferences.ts';

/** The length of a carrier's name in the chart (OVW-04). */
const SHOWN_LETTERS = 8;

/** The chart's colours, in both schemes (OVW-04: a palette of five). */
const palette = ['var(--c1)', 'var(--c2)', 'var(--c3)', 'var(--c4)', 'var(--c5)'] as const;

/** A carrier's name cut to 8 characters (OVW-04); surrogate pairs stay whole. */
export function shortCarrier(name: string): string {
  return Array.from(name).slice(0, SHOWN_LETTERS).join('');
}

/** Places of carriers in the palette. */
type Kept = Readonly<Record<string, number>>;

/** The most carriers that are kept; the oldest go first. */
const MOST_KEPT = 100;
const NAME = 'carrier-colors';

/** The place of each carrier: the one it had, else the one that the fewest of these carriers have. */
export function placesOf(carriers: readonly string[], kept: Kept): Kept {
  const places = new Map(carriers.flatMap((carrier) => (kept[carrier] === undefined ? [] : [[carrier, kept[carrier]]])));
  for (const carrier of carriers.filter((each) => !places.has(each)).toSorted()) {
    const uses = palette.map((_, place) => [...places.values()].filter((each) => each === place).length);
    places.set(carrier, uses.indexOf(Math.min(...uses)));
  }
  return Object.fromEntries(places);
}

/** The colour of each carrier, which stays the same for a person in this browser however the carriers are ordered. */
export function useCarrierColors(carriers: readonly string[]): Readonly<Record<string, string>> {
  const kept = keptPlaces();
  const places = placesOf(carriers, kept);
  const next = JSON.stringify(Object.entries({ ...kept, ...places }).slice(-MOST_KEPT));
  const hasNew = carriers.some((carrier) => kept[carrier] === undefined);
  useEffect(() => {
    if (hasNew) writeOwn(NAME, Object.fromEntries(JSON.parse(next) as [string, number][]));
  }, [hasNew, next]);
  return Object.fromEntries(Object.entries(places).map(([carrier, place]) => [carrier, palette[place]!]));
}

function keptPlaces(): Kept {
  const stored = readOwn(NAME);
  const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => palette[entry[1] as number] !== undefined));
}

/** How long a bar is, in percent of the longest; the shortest can still be seen and hit. */
export function barWidth(total: number, most: number): number {
  return most === 0 ? 0 : Math.max(2, (total / most) * 100);
}
