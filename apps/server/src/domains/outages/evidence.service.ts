import type { Readable } from 'node:stream';
import type { Language, outages as calls } from '@highline/contract';
import { invalidField, type OrganizationScope, required } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { writeDocument } from '../../platform/pdf/document.ts';
import { cellAt, centerOf } from '../coverage/index.ts';
import { describePlaces, placeText, type FindStreet } from '../places/index.ts';
import { historyBegins } from '../router-state/index.ts';
import { readDays, readOwnReports, readPlaces, readSubject, readUnplaced, type PlaceRow } from './evidence.queries.ts';
import { blocksOf, headOf, MOST_OUTAGES, type Evidence } from './evidence.ts';
import { readKept } from './kept.queries.ts';
import { timeOf, type OutageTime } from './outages.period.ts';
import { withPlaces, type PlacedOutage } from './outages.places.ts';
import { outageList, shareOf, sumList } from './outages.queries.ts';

export interface EvidenceDeps {
  readonly reader: Reader;
  readonly findStreet: FindStreet;
  /** Days for which connections are kept. */
  readonly keptDays: number;
  /** Days for which coverage is kept. */
  readonly positionDays: number;
}

type EvidenceQuery = calls.OutagePeriod & { readonly language?: Language | undefined };

/**
 * Evidence for a carrier about a vehicle, a place, or all vehicles of an organization (RPM-04).
 * @throws DomainError `not_found` for a device of others, `request.invalid` for an invalid period or place
 */
export async function writeEvidence(
  deps: EvidenceDeps,
  scope: OrganizationScope,
  query: EvidenceQuery,
  now: Date,
): Promise<{ readonly file: Readable; readonly time: OutageTime }> {
  const language = query.language ?? 'en-US';
  const evidence = await readEvidence(deps, scope, query, now);
  return { file: writeDocument(headOf(evidence, language), blocksOf(evidence, language)), time: evidence.time };
}

async function readEvidence(
  deps: EvidenceDeps,
  scope: OrganizationScope,
  { language = 'en-US', ...given }: EvidenceQuery,
  now: Date,
): Promise<Evidence> {
  const { reader } = deps;
  const whole = timeOf(given, now, deps.keptDays);
  const device = given.device === '' ? undefined : given.device;
  const hexagon = given.hexagon === '' ? undefined : given.hexagon;
  if (hexagon !== undefined && !/^88[0-9a-f]{13}$/u.test(hexagon))
    throw invalidField('hexagon', 'must be an H3 index of resolution 8');
  const subject = required(await readSubject(reader, scope, { device, group: given.group }), 'not_found', { field: 'device' });
  const time = await readKept(reader, scope, whole, now);
  // Those of the vehicle itself are subtracted from coverage: both are needed.
  const reportsFrom = historyBegins(now, Math.min(deps.keptDays, deps.positionDays)).toISOString().slice(0, 10);
  const query = { ...given, device, hexagon, kind: 'all' as const };
  const [page, sums, { places: all, further }, days, unplaced] = await Promise.all([
    outageList(time, now).page({ reader }, scope, { ...query, kind: 'lost' }, MOST_OUTAGES),
    sumList(time, now).page({ reader }, scope, { ...query, by: device === undefined ? 'carriers' : 'vehicles' }, 100),
    readPlaces(reader, scope, query, { ...time, reportsFrom }, now),
    readDays(reader, scope, query, time, now),
    readUnplaced(reader, scope, query, time, now),
  ]);
  const places =
    device === undefined ? all : withoutOwn(all, await readOwnReports(reader, scope, time, { device, carrier: given.carrier }));
  const sum = (key: 'lost' | 'excluded' | 'parked' | 'planned') => sums.rows.reduce((total, row) => total + row[key], 0) / 60;
  const [only] = sums.rows;
  const outages: PlacedOutage[] = [];
  for await (const outage of withPlaces(deps, scope, language, page.rows)) outages.push(outage);
  return {
    organization: subject.organization,
    logo: subject.logo,
    vehicle: device === undefined ? undefined : subject,
    hexagon,
    carrier: given.carrier,
    group: subject.group,
    tag: given.tag ?? '',
    time,
    outages,
    total: page.total,
    minutes: new Map(days.map(({ day, minutes }) => [day, minutes])),
    places,
    further,
    reportsFrom,
    unplaced: hexagon === undefined ? unplaced : { outages: 0, minutes: 0 },
    share: device === undefined || only === undefined ? null : shareOf(only),
    lostMinutes: sum('lost'),
    excludedMinutes: sum('excluded'),
    parkedMinutes: sum('parked'),
    plannedMinutes: sum('planned'),
    names: await namePlaces(
      deps,
      scope,
      [...places.map((place) => place.hexagon), ...(hexagon === undefined ? [] : [hexagon])],
      language,
    ),
    now,
  };
}

/** Places with the reports of other vehicles alone. */
function withoutOwn(
  places: readonly PlaceRow[],
  own: readonly { readonly latitude: number; readonly longitude: number }[],
): readonly PlaceRow[] {
  const counts = new Map<string, number>();
  for (const { latitude, longitude } of own) {
    const hexagon = cellAt(latitude, longitude);
    counts.set(hexagon, (counts.get(hexagon) ?? 0) + 1);
  }
  return places.map((place) => ({ ...place, samples: Math.max(0, place.samples - (counts.get(place.hexagon) ?? 0)) }));
}

/** What the middle of each hexagon is called, in this language. */
async function namePlaces(
  deps: EvidenceDeps,
  scope: OrganizationScope,
  hexagons: readonly string[],
  language: Language,
): Promise<ReadonlyMap<string, string>> {
  const pairs = hexagons.map(centerOf).map(({ latitude, longitude }) => [latitude, longitude] as const);
  const described = await describePlaces(deps, scope, pairs);
  const texts = described.map((place, index) => [hexagons[index]!, placeText(place, language)] as const);
  return new Map(texts.filter(([, text]) => text !== ''));
}
