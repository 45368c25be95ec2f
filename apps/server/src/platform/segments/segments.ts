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

/** Where new rows go if the open segment takes late ones too. */
export interface MixedPlan<Row extends Timed> extends SegmentPlan<Row> {
  /** Rows that are sorted into the open segment, which begins at this time then. */
  readonly mixed: Segment<Row> | undefined;
}

const HOUR_MS = 3_600_000;
/** A row of 60 is less than 2,000 bytes, so PostgreSQL keeps it in one piece. */
const MOST_ROWS = 60;
const oneGroup = () => '';
const hourOf = (at: number) => Math.floor(at / HOUR_MS);

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

/**
 * Divide new rows of a series as `planSegments` does, with late ones of the open hour in the open segment too, or in the next one if they do not fit: a
 * router that reports each position at once, and a trail of the same minute after it, sends most of them late, and a segment of a few rows costs more
 * than its rows.
 * @param rows in order of time, of one group
 */
export function planMixed<Row extends Timed>(
  rows: readonly Row[],
  known: { readonly open: OpenSegment | undefined; readonly lastAt: number },
): MixedPlan<Row> {
  const { open, lastAt } = known;
  const from = open === undefined ? -1 : rows.findIndex(({ at }) => hourOf(at) === hourOf(open.at));
  const ofHour = from < 0 ? [] : rows.slice(from);
  const first = ofHour[0]?.at ?? Infinity;
  if (open === undefined || first > lastAt || hourOf(rows.at(-1)!.at) !== hourOf(open.at))
    return { ...planSegments(rows, known), mixed: undefined };
  const earlier = divideRows(rows.slice(0, from), oneGroup);
  if (open.count + ofHour.length <= MOST_ROWS) {
    const mixed = { at: Math.min(open.at, first), rows: ofHour };
    return { closesOpen: false, complete: earlier, open: undefined, mixed };
  }
  const segments = divideRows(ofHour, oneGroup);
  const next = segments.pop();
  return { closesOpen: true, complete: [...earlier, ...segments], open: next, mixed: undefined };
}

function divideRows<Row extends Timed>(rows: readonly Row[], groupOf: (row: Row) => string): Segment<Row>[] {
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
