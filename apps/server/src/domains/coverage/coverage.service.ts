import { compareNames, coverage as calls } from '@highline/contract';
import { invalidField, type Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { addCounts, medianOf, rsrpBins, rsrqBins } from './bins.ts';
import { periodOf } from './coverage.period.ts';
import { type CoverageFilter } from './covered-vehicles.queries.ts';
import { countsOf, minutesOf, readCells, readNetworks, type CellRow } from './coverage.queries.ts';
import { cellsIn, centerOf, cornersOf, countIn, resolutionFor } from './hexagons.ts';

/** Hexagons of a scope without a box are at least this large: of a country, to find the place to look at. */
const RESOLUTION_OF_ALL = 4;

type Networks = Awaited<ReturnType<typeof readNetworks>>;
const namesOf = (networks: Networks, key: 'carrier' | 'technology') =>
  [...new Set(networks.map((network) => network[key]))].filter((name) => name !== '').toSorted(compareNames);

/**
 * What of the coverage a call is about.
 * @throws DomainError `request.invalid` for a period that is none, and for a carrier or a technology that no report has
 */
export async function filterOf(reader: Reader, scope: Scope, query: calls.CoverageQuery, now: Date): Promise<CoverageFilter> {
  return (await filterWithNetworks(reader, scope, query, now)).filter;
}

async function filterWithNetworks(reader: Reader, scope: Scope, query: calls.CoverageQuery, now: Date) {
  const period = periodOf(query, now);
  const networks = await readNetworks(reader, scope);
  for (const field of ['carrier', 'technology'] as const) {
    const named = query[field];
    if (named === undefined || networks.some((network) => network[field] === named)) continue;
    throw invalidField(field, 'no router has reported it');
  }
  return { filter: { ...period, carrier: query.carrier, technology: query.technology }, networks };
}

/**
 * Hexagons of a part of the map with what was measured there (POS-06).
 * @throws DomainError `request.invalid` as `filterOf`, and for a part that is too large for the requested size
 */
export async function readCoverage(reader: Reader, scope: Scope, query: calls.CoverageCellsQuery, now: Date) {
  const { filter, networks } = await filterWithNetworks(reader, scope, query, now);
  const { resolution, cells } = areaOf(query);
  const rows = await readCells(reader, scope, filter, { resolution, cells });
  const found = Array.from(
    Map.groupBy(rows, ({ cell }) => cell),
    toCell,
  ).toSorted((a, b) => b.samples - a.samples || (a.cell < b.cell ? -1 : 1));
  return {
    from: filter.from,
    until: filter.until,
    resolution,
    cells: found.slice(0, calls.MAX_CELLS),
    isCut: found.length > calls.MAX_CELLS,
    carriers: namesOf(networks, 'carrier'),
    technologies: namesOf(networks, 'technology'),
  };
}

function areaOf({ bbox, resolution }: calls.CoverageCellsQuery) {
  if (bbox === undefined) return { resolution: resolution ?? RESOLUTION_OF_ALL, cells: undefined };
  if (resolution !== undefined && countIn(bbox, resolution) > calls.MAX_CELLS)
    throw invalidField('bbox', 'is too large for hexagons of this size; ask for a smaller part of the map or a lower resolution');
  const chosen = resolution ?? resolutionFor(bbox, calls.MAX_CELLS);
  return { resolution: chosen, cells: cellsIn(bbox, chosen) };
}

/** A hexagon with the sum of its networks: bins are added up before the median is taken. */
function toCell([cell, rows]: readonly [string, readonly CellRow[]]): calls.CoverageCell {
  const [rsrp, rsrq]: [number[], number[]] = [[], []];
  let [samples, drops, lost] = [0, 0, 0];
  for (const row of rows) {
    addCounts(rsrp, countsOf(row, rsrpBins));
    addCounts(rsrq, countsOf(row, rsrqBins));
    samples += row.samples;
    drops += row.drops;
    lost += row.lost;
  }
  const networks = rows
    .map((row) => ({
      carrier: row.carrier,
      technology: row.technology,
      rsrp: medianOf(rsrpBins, countsOf(row, rsrpBins)),
      rsrq: medianOf(rsrqBins, countsOf(row, rsrqBins)),
      samples: row.samples,
      drops: row.drops,
      minutes: minutesOf(row.lost),
    }))
    .toSorted((a, b) => b.samples - a.samples || (`${a.carrier} ${a.technology}` < `${b.carrier} ${b.technology}` ? -1 : 1));
  return {
    cell,
    corners: cornersOf(cell),
    ...centerOf(cell),
    rsrp: medianOf(rsrpBins, rsrp),
    rsrq: medianOf(rsrqBins, rsrq),
    samples,
    drops,
    minutes: minutesOf(lost),
    networks,
  };
}
