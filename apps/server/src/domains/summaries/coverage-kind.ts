import { safeCell, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import { centerOf, deadZoneList, filterOf, MOST_LOST_MS, zoneColumns } from '../coverage/index.ts';
import { sumList, type SumRow } from '../outages/index.ts';
import { withPlaceTexts } from '../places/index.ts';
import { kindOf, type AnyKind } from './kind.ts';
import type { KindSources, SummaryRequest } from './kind-request.ts';

interface Unplaced {
  readonly unplaced: SumRow;
}
type Zone = Parameters<(typeof zoneColumns)['rank'][2]>[0] & { readonly place: string };
/** An area, or all that was lost where no position was known. */
type CoverageRow = Zone | Unplaced;

const isUnplaced = (row: CoverageRow): row is Unplaced => 'unplaced' in row;

const minutes = (seconds: number) => (seconds / 60).toFixed(1);
const unplacedCells: Readonly<Record<string, (sum: SumRow) => string | Bilingual>> = {
  place: () => ['No position known', '位置未知'],
  minutes: ({ lost }) => minutes(lost),
  drops: ({ outages }) => String(outages),
};

/** A column of areas for rows of which one may have no area. */
const ofBoth = (id: string, [english, chinese, cell, ...kind]: CsvColumn<Zone>): CsvColumn<CoverageRow> => [
  english,
  chinese,
  (row, index, language) => (isUnplaced(row) ? (unplacedCells[id]?.(row.unplaced) ?? '') : cell(row, index, language)),
  ...kind,
];

/** Where connections were lost, and after these how many outages have no place: without them a report would look better than it is. */
export const coverageKind: AnyKind = kindOf<CoverageRow>({
  title: ['Coverage', '訊號涵蓋'],
  // Sums of hexagons are by day of UTC; the outages after them are those of the same days, so that both add up.
  days: 'UTC',
  isOfCoverage: true,
  columns() {
    const { cell: _cell, rank, ...rest } = zoneColumns;
    const place: CsvColumn<Zone> = ['Place', '地點', (row) => safeCell(row.place)];
    return Object.fromEntries(Object.entries({ rank, place, ...rest }).map(([id, column]) => [id, ofBoth(id, column)]));
  },
  async rows(sources, request) {
    const { scope, time, now, carrier, language } = request;
    const filter = { ...(await filterOf(sources.reader, scope, { from: time.from, until: time.until }, now)), carrier };
    const zones = deadZoneList(filter).rows(sources.streams, scope, {});
    return followed(
      withPlaceTexts(sources, scope, language, zones, ({ cell }) => centerOf(cell)),
      () => readUnplaced(sources, request),
    );
  },
});

async function* followed(rows: AsyncIterable<Zone>, last: () => Promise<SumRow | undefined>): AsyncGenerator<CoverageRow> {
  yield* rows;
  const unplaced = await last();
  if (unplaced !== undefined) yield { unplaced };
}

/** The outages of the period without a place, each as long as it counts in a place; undefined = each has one. */
async function readUnplaced(
  { streams }: KindSources,
  { scope, time, now, carrier }: SummaryRequest,
): Promise<SumRow | undefined> {
  const all = { lost: 0, outages: 0 };
  let some: SumRow | undefined;
  for await (const row of sumList(time, now, MOST_LOST_MS / 1_000).rows(streams, scope, {
    by: 'hexagons',
    hexagon: '',
    carrier,
  })) {
    if (row.hexagon !== null || row.outages === 0) continue;
    all.lost += row.lost;
    all.outages += row.outages;
    some = { ...row, ...all };
  }
  return some;
}
