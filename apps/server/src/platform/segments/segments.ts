/** A row of a time series that is stored with others of its hour. */
interface Timed {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The segment that later rows are added to. */
export interface OpenSegment {
  /** Of its first row, epoch milliseconds. */
  readonly at: number;
  readonly count: number;
  /** What its rows have in common, as `groupOf` says. */
  readonly group: string;
}

/** Rows that are stored as one. */
export interface Segment<Row extends Timed> {
  /** What times within it count from: of its first row, epoch milliseconds. */
  readonly at: number;
  readonly rows: readonly Row[];
}

/** Where new rows of a series are stored. */
export interface SegmentPlan<Row extends Timed> {
  /** The open segment is complete as it is. */
  readonly closesOpen: boolean;
  /** Segments that are complete. */
  readonly complete: readonly Segment<Row>[];
  /** Rows that are added to the open segment if they begin at the same time, and replace it if not; undefined = none. */
  readonly open: Segment<Row> | undefined;
}

const HOUR_MS = 3_600_000;
/** A row of 60 is less than 2,000 bytes, so PostgreSQL keeps it in one piece. */
export const MOST_ROWS = 60;
const oneGroup = () => '';
/** Hours since the epoch. @param at epoch milliseconds */
export const hourOf = (at: number) => Math.floor(at / HOUR_MS);

/**
 * Divide new rows of a series into segments of one hour of UTC, one group and at most 60 rows. Rows behind `lastAt` go to the open segment as long as
 * they fit; earlier ones came late, and go to segments of their own.
 * @param rows in order of time
 */
export function planSegments<Row extends Timed>(
  rows: readonly Row[],
  { open, lastAt }: { readonly open: OpenSegment | undefined; readonly lastAt: number },
  groupOf: (row: Row) => string = oneGroup,
): SegmentPlan<Row> {
  const behind = rows.findIndex(({ at }) => at > lastAt);
  const late = divideRows(behind < 0 ? rows : rows.slice(0, behind), groupOf);
  const segments = divideRows(behind < 0 ? [] : rows.slice(behind), groupOf);
  const last = segments.pop();
  if (last === undefined) return { closesOpen: false, complete: late, open: undefined };
  const fits =
    open !== undefined &&
    segments.length === 0 &&
    hourOf(open.at) === hourOf(last.at) &&
    open.group === groupOf(last.rows[0]!) &&
    open.count + last.rows.length <= MOST_ROWS;
  return fits
    ? { closesOpen: false, complete: late, open: { ...last, at: open.at } }
    : { closesOpen: open !== undefined, complete: [...late, ...segments], open: last };
}

/** Divide rows into segments of one hour of UTC, one group and at most 60 rows. @param rows in order of time */
export function divideRows<Row extends Timed>(rows: readonly Row[], groupOf: (row: Row) => string = oneGroup): Segment<Row>[] {
  const segments: { readonly at: number; readonly rows: Row[] }[] = [];
  for (const row of rows) {
    const last = segments.at(-1);
    const fits =
      last !== undefined &&
      last.rows.length < MOST_ROWS &&
      hourOf(last.at) === hourOf(row.at) &&
      groupOf(last.rows[0]!) === groupOf(row);
    if (fits) last.rows.push(row);
    else segments.push({ at: row.at, rows: [row] });
  }
  return segments;
}

/** Divide rows where more than a time lies between two of them. @param rows in order of time */
export function divideAtGaps<Row extends Timed>(rows: readonly Row[], mostMs: number): Row[][] {
  const parts: Row[][] = [];
  for (const row of rows) {
    const last = parts.at(-1);
    if (last !== undefined && row.at - last.at(-1)!.at <= mostMs) last.push(row);
    else parts.push([row]);
  }
  return parts;
}

/**
 * A PostgreSQL array with a text for each segment, which is an array of one value of each row. Numbers need no escaping, and the driver would look for
 * what to escape in each of them.
 */
export function arraysOf<Row extends Timed>(
  segments: readonly Segment<Row>[],
  write: (row: Row, segment: Segment<Row>) => number | null,
): string {
  let text = '{';
  for (const segment of segments) {
    let values = '';
    for (const row of segment.rows) values += `${values === '' ? '' : ','}${write(row, segment)}`;
    text += `${text === '{' ? '' : ','}"{${values}}"`;
  }
  return `${text}}`;
}
