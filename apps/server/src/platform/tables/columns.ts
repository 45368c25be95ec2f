import { FileFault } from './file-fault.ts';
import { acceptedTitles, plainTitle } from './titles.ts';

/** Required and optional columns of a file, by their titles. */
export interface TableShape<Required extends string, Optional extends string = never> {
  readonly required: Readonly<Record<Required, string>>;
  readonly optional?: Readonly<Partial<Record<Optional, string>>>;
}

export type AnyShape = TableShape<string, string>;

/** Where the columns of a file are. */
export interface FoundColumns {
  readonly at: ReadonlyMap<string, number>;
  readonly missing: readonly string[];
  /** Titles that appear twice. */
  readonly twice: readonly string[];
}

/** The columns that a record names as a header. */
export function findColumns(record: readonly string[], { required, optional }: AnyShape): FoundColumns {
  const titles = record.map(plainTitle);
  const at = new Map<string, number>();
  const twice: string[] = [];
  for (const [column, title] of Object.entries({ ...optional, ...required } as Record<string, string>)) {
    const accepted = acceptedTitles(title).find((candidate) => titles.includes(candidate));
    if (accepted === undefined) continue;
    const first = titles.indexOf(accepted);
    at.set(column, first);
    if (titles.includes(accepted, first + 1)) twice.push(title);
  }
  const missing = Object.entries(required).flatMap(([column, title]) => (at.has(column) ? [] : [title]));
  return { at, missing, twice };
}

export function headerFault(shape: AnyShape, { missing, twice }: FoundColumns): FileFault {
  const expected = Object.values(shape.required);
  const reason = missing.length > 0 ? `Missing: ${missing.join(', ')}.` : `The column ${twice[0]!} appears twice.`;
  const message = `The first line must name the columns ${expected.join(', ')}. ${reason}`;
  return new FileFault('csv.header', { message, reason, detail: { expected, missing } });
}
