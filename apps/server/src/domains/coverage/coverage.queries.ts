// Reads tables of other domains: organizations.
import { coverage as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, defineList, sorted, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { columnsOf, medianOf, rsrpBins, rsrqBins } from './bins.ts';
import { type CoverageFilter, withoutNull } from './covered-vehicles.queries.ts';
import { centerOf, FINEST, squareKm } from './hexagons.ts';

/** The condition of rows `c` that a scope covers. */
function coverageOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`c.organization_id = ${scope.organizationId}::uuid`
    : sql`c.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;
}

const within = ({ from, until, carrier, technology }: CoverageFilter): Fragment[] => [
  sql`c.day between ${from}::date and ${until}::date`,
  ...(carrier === undefined ? [] : [sql`c.carrier = ${withoutNull(carrier)}`]),
  ...(technology === undefined ? [] : [sql`c.technology = ${withoutNull(technology)}`]),
];

const bins = [...columnsOf(rsrpBins), ...columnsOf(rsrqBins)];
const summed = sql`sum(c.samples)::int as samples, sum(c.drops)::int as drops, sum(c.lost_seconds)::float8 as lost,
  ${sql.join(bins.map((name) => sql`sum(${sql.ref(`c.${name}`)})::int as ${sql.ref(name)}`))}`;

/** Sums of a hexagon, with a column for each bin. */
interface SumRow {
  readonly samples: number;
  readonly drops: number;
  /** Seconds. */
  readonly lost: number;
  readonly [bin: string]: number | string | null;
}

/** Sums of a hexagon and a network. */
export type CellRow = SumRow & { readonly cell: string; readonly carrier: string; readonly technology: string };

/** The bins of a row in their order. */
export const countsOf = (row: SumRow, of: typeof rsrpBins): (number | null)[] =>
  columnsOf(of).map((name) => row[name] as number | null);

/** Seconds as minutes with a decimal. */
export const minutesOf = (seconds: number): number => Math.round(seconds / 6) / 10;

/** Rows that are read before there are too many for a response. */
const MOST_ROWS = 40_000;

/** Sums by hexagon, carrier and technology. @param cells the hexagons; undefined = all of the resolution */
export function readCells(
  reader: Reader,
  scope: Scope,
  filter: CoverageFilter,
  { cells, resolution }: { readonly cells: readonly string[] | undefined; readonly resolution: number },
): Promise<CellRow[]> {
  // Indexes of one resolution begin alike: 8 and the resolution, in hexadecimal digits.
  const [first, last] = [`8${resolution}`, `8${resolution + 1}`];
  const where = cells === undefined ? sql`c.cell >= ${first} and c.cell < ${last}` : sql`c.cell = any (${[...cells]}::text[])`;
  return reader.rows<CellRow>(sql`select c.cell, c.carrier, c.technology, ${summed} from coverage_days c
    where ${allOf([coverageOf(scope), where, ...within(filter)])} group by c.cell, c.carrier, c.technology limit ${MOST_ROWS}`);
}

/** Carriers and technologies of the scope's reports. */
export function readNetworks(reader: Reader, scope: Scope): Promise<{ readonly carrier: string; readonly technology: string }[]> {
  return reader.rows(sql`select distinct c.carrier, c.technology from coverage_networks c where ${coverageOf(scope)}
    order by 1, 2 limit 1000`);
}

type ZoneRow = SumRow & { readonly cell: string; readonly rank: number };

const zoneSorts: Readonly<Record<'minutes' | 'drops', Fragment>> = {
  minutes: sql`z.lost`,
  drops: sql`z.drops`,
};

/** Hexagons where connections were lost, the most minutes first. */
export const deadZoneList = (filter: CoverageFilter) =>
  defineList({
    of(scope: Scope, query: calls.DeadZoneQuery) {
      const { value: column, descending } = sorted(query.sort ?? '-minutes', zoneSorts);
      const order = sql`${column} ${descending ? sql`desc` : sql`asc`}, z.lost desc, z.drops desc, z.cell`;
      const conditions = allOf([coverageOf(scope), ...within(filter)]);
      const found = sql`select c.cell, sum(c.drops)::int as drops, sum(c.lost_seconds)::float8 as lost from coverage_days c
        where ${conditions} and c.resolution = ${sql.lit(FINEST)} and c.drops > 0 group by c.cell`;
      return {
        // The signal is read for the rows of the page only.
        rows: (part: Fragment) => sql`select z.cell, z.rank, s.* from (
            select z.*, rank() over (order by z.lost desc)::int as rank from (${found}) z order by ${order} ${part}) z
          cross join lateral (select ${summed} from coverage_days c where c.cell = z.cell and ${conditions}) s order by ${order}`,
        count: sql`select count(*)::int as total from (${found}) z`,
        placeOf: () => undefined,
      };
    },
    toDto: (row: ZoneRow): calls.DeadZone => ({
      rank: row.rank,
      cell: row.cell,
      ...centerOf(row.cell),
      squareKm: squareKm(row.cell),
      minutes: minutesOf(row.lost),
      drops: row.drops,
      samples: row.samples,
      rsrp: medianOf(rsrpBins, countsOf(row, rsrpBins)),
      rsrq: medianOf(rsrqBins, countsOf(row, rsrqBins)),
    }),
  });
export type DeadZoneRow = ZoneRow;
