import type { ReactNode } from 'react';
import type { ListPreferences } from '../preferences.ts';

/** What a column is in a row of two lines: the first line has the title and at its end the aside, the second one the state and the others. */
export type PhonePart = 'title' | 'aside' | 'state' | 'line';

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** `number` counts rows of the whole list from 1 (the '#' column). Absent: the text. */
  readonly cell?: (row: Row, number: number) => ReactNode;
  /** The cell as text, for a file of the selected rows that is made here. Absent: not in it. */
  readonly text?: (row: Row) => string;
  /** The name the server sorts this column by; absent = not sortable. */
  readonly sort?: string;
  /** Numbers are right-aligned. */
  readonly numeric?: boolean;
  /** Stays in view when the table scrolls sideways. */
  readonly pinned?: boolean;
  /** Hidden until the user enables it in the column chooser. */
  readonly optional?: boolean;
  /** In px, until a person chooses another width; a longer text ends in an ellipsis. Default: 150. */
  readonly width?: number;
  /** Takes the space that is left over. Default: the last column with text. */
  readonly grow?: boolean;
  /** A long text continues on the next line, instead of ending in an ellipsis. */
  readonly wrap?: boolean;
  /** Where it stands in a row on a phone; absent: it is not in it, unless no column of the list is declared. */
  readonly phone?: PhonePart;
  /** Its cell there, if it is another one. */
  readonly phoneCell?: (row: Row) => ReactNode;
}

/** Whether a column is visible: the user's choice, else its default. Pinned ones always are. */
export function isShown(
  column: Pick<Column<never>, 'id' | 'pinned' | 'optional'>,
  chosen: Readonly<Record<string, boolean>> | undefined,
): boolean {
  return column.pinned === true || (chosen?.[column.id] ?? column.optional !== true);
}

type Placed = Pick<Column<never>, 'id' | 'pinned' | 'optional'>;

/** All columns in the user's order: pinned ones keep their place, the others follow the order, those that it does not name at the end. */
export function inOrder<Shown extends Placed>(columns: readonly Shown[], order: readonly string[] = []): readonly Shown[] {
  const placeOf = ({ id }: Shown) => (order.includes(id) ? order.indexOf(id) : order.length);
  const movable = columns.filter(({ pinned }) => pinned !== true).toSorted((a, b) => placeOf(a) - placeOf(b));
  return columns.map((column) => (column.pinned === true ? column : movable.shift()!));
}

/** The visible columns in their order: those of the table, and of its file (BLK-05). */
export function shownColumns<Shown extends Placed>(
  columns: readonly Shown[],
  { columns: chosen, order }: ListPreferences,
): readonly Shown[] {
  return inOrder(columns, order).filter((column) => isShown(column, chosen));
}

/**
 * The visible columns as a call for a file names them: `serial,vehicle`.
 * @param known ids that the file can have; buttons and the like have none
 */
export function fileColumns(columns: readonly Placed[], preferences: ListPreferences, known: readonly string[]): string {
  return shownColumns(columns, preferences)
    .map(({ id }) => id)
    .filter((id) => known.includes(id))
    .join(',');
}

/** The next sort order after a click on a header: ascending, descending, the list's default. */
export function nextSort(column: string, current: string | undefined): string | undefined {
  if (current === column) return `-${column}`;
  return current === `-${column}` ? undefined : column;
}

/** The sort order of a header for assistive technology. */
export function ariaSort(
  column: string | undefined,
  current: string | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (column === undefined) return undefined;
  if (current === column) return 'ascending';
  return current === `-${column}` ? 'descending' : 'none';
}

/** What a column shows of a row. */
export function contentOf<Row>({ cell, text }: Column<Row>, row: Row, number: number): ReactNode {
  return cell === undefined ? text?.(row) : cell(row, number);
}

/** Classes of a column's cells. */
export function classesOf<Row>(column: Column<Row>): string {
  const classes = [column.numeric === true && 'num', column.pinned === true && 'table__pinned'];
  return classes.filter(Boolean).join(' ');
}
