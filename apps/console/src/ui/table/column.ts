import type { ReactNode } from 'react';

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** `number` counts rows of the whole list from 1 (the '#' column). */
  readonly cell: (row: Row, number: number) => ReactNode;
  /** The name the server sorts this column by; absent = not sortable. */
  readonly sort?: string;
  /** Numbers are right-aligned. */
  readonly numeric?: boolean;
  /** Stays in view when the table scrolls sideways. */
  readonly pinned?: boolean;
  /** Hidden until the user enables it in the column chooser. */
  readonly optional?: boolean;
  /** At most this wide, in px: a longer text ends in an ellipsis and shows whole on hover. */
  readonly clip?: number;
}

/** Whether a column is visible: the user's choice, else its default. Pinned ones always are. */
export function isShown<Row>(column: Column<Row>, chosen: Readonly<Record<string, boolean>> | undefined): boolean {
  return column.pinned === true || (chosen?.[column.id] ?? column.optional !== true);
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

/** Classes of a column's cells. */
export function classesOf<Row>(column: Column<Row>): string {
  const classes = [column.numeric === true && 'num', column.pinned === true && 'table__pinned'];
  return classes.filter(Boolean).join(' ');
}
