import type { Job } from '../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import {
  findEndOfPage,
  lockServingCells,
  readCells,
  readOldCells,
  readServedPositions,
  storeCells,
  type CellKey,
  type ServedPosition,
} from './serving-cells.job.queries.ts';
import { addSquares, estimatePlace, squareOf, type Square } from './serving-cells.ts';

const EVERY_MS = 300_000;
/** A position belongs to the cell of now if it is this new: a kilometre at 60 km/h. */
const NEAR_MS = 60_000;
/** Routers read in one statement. */
const PAGE = 5_000;
/** Positions read before cells are changed. */
const MOST_IN_MEMORY = 50_000;
/** Cells changed in one transaction. */
const BATCH = 500;
const DAY_MS = 86_400_000;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The jobs of serving cells (SAY-08): one notes where vehicles with a position are while a cell serves them. It reads the newest positions, so that
 * storing a position costs nothing more; what it reads twice is stored once.
 * @param days for which positions are kept (setting POSITION_DAYS)
 */
export function createServingCellJobs(database: Database, days: number): Job[] {
  return [
    {
      name: 'positions.cells',
      everyMs: EVERY_MS,
      async run(now) {
        const since = new Date(now.getTime() - NEAR_MS);
        let read: ServedPosition[] = [];
        for (let after: string | undefined = LEAST_ID; after !== undefined;) {
          const to: string | undefined = await findEndOfPage(database, after, PAGE);
          read = [...read, ...(await readServedPositions(database, { after, to, since }))];
          after = to;
          // Vehicles of one cell are on many pages: each cell is written once for all of them.
          if (after !== undefined && read.length < MOST_IN_MEMORY) continue;
          await addServedPositions(database, read, dayOf(now) - days);
          read = [];
        }
      },
    },
    {
      name: 'positions.cells: retention',
      everyMs: 3_600_000,
      async run(now) {
        while (await database.write((tx) => deleteOldSquares(tx, dayOf(now), days))) continue;
      },
    },
  ];
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS);
const keyOf = ({ organization_id, carrier, technology, cell }: CellKey): CellKey => ({
  organization_id,
  carrier,
  technology,
  cell,
});
const nameOf = ({ organization_id, carrier, technology, cell }: CellKey) =>
  JSON.stringify([organization_id, carrier, technology, cell]);

/** Add positions to the cells that served vehicles there. @param from the first day that is kept, since 1970 */
export async function addServedPositions(database: Database, positions: readonly ServedPosition[], from: number): Promise<void> {
  const byCell = [...Map.groupBy(positions, nameOf).values()];
  for (let start = 0; start < byCell.length; start += BATCH)
    await database.write((tx) => addToCells(tx, byCell.slice(start, start + BATCH), from));
}

/** @param byCell positions of one cell each */
async function addToCells(tx: Tx, byCell: readonly (readonly ServedPosition[])[], from: number): Promise<void> {
  if (!(await lockServingCells(tx))) return;
  const keys = byCell.map((positions) => keyOf(positions[0]!));
  const known = new Map((await readCells(tx, keys)).map((each) => [nameOf(each), each.squares]));
  const changed = keys.flatMap((key, index) => {
    const before = known.get(nameOf(key)) ?? [];
    const added = byCell[index]!.map(({ latitude, longitude, at }) => squareOf({ latitude, longitude, at: at.getTime() }));
    const squares = addSquares(before, added, from);
    return isSame(before, squares) ? [] : [{ ...key, squares, estimate: estimatePlace(squares) }];
  });
  if (changed.length > 0) await storeCells(tx, changed);
}

const isSame = (before: readonly Square[], now: readonly Square[]) =>
  before.length === now.length && before.every((square, index) => square === now[index]);

/** @returns whether there may be more */
async function deleteOldSquares(tx: Tx, today: number, days: number): Promise<boolean> {
  if (!(await lockServingCells(tx))) return false;
  const old = await readOldCells(tx, { today, days, limit: BATCH });
  if (old.length === 0) return false;
  // An organization that keeps fewer days may be found for both reasons.
  const cells = new Map(
    old
      .toSorted((a, b) => a.from - b.from)
      .map(({ from, squares, ...key }) => {
        const kept = addSquares(squares, [], from);
        return [nameOf(key), { ...key, squares: kept, estimate: estimatePlace(kept) }];
      }),
  );
  await storeCells(tx, [...cells.values()]);
  return old.length === BATCH;
}
