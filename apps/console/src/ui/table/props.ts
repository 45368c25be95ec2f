import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Selection } from '../list/useSelection.ts';
import type { Column } from './column.ts';
import type { TableSource, TableView } from './source.ts';

/** A custom footer: its own page sizes, page numbers, and rows beyond the counted ones. */
export interface Pager {
  readonly sizes: readonly number[];
  /** There are more rows than `total`. */
  readonly uncounted: boolean;
  /** The page is beyond the counted rows: its number alone does not lead to it. */
  readonly beyond: boolean;
  /** The requested page is still loading. */
  readonly waiting: boolean;
  /** Load the page after this one if no number leads there; undefined if one does, or nothing follows. */
  readonly onContinue: (() => void) | undefined;
}

/** Rows that a search finds only without regard to upper and lower case. */
export interface OtherField {
  readonly label: string;
  readonly count: number;
  readonly show: () => void;
}

export interface OtherCase {
  readonly count: number;
  readonly show: () => void;
}

/** The page that a row leads to. */
export type RowLink = Pick<LinkProps, 'to' | 'search'>;

export interface DataTableProps<Row> {
  /** The key of the list in the user's preferences. */
  readonly id: string;
  /** The description for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Stable per row, across refreshes. */
  readonly rowId: (row: Row) => string;
  readonly source: TableSource<Row>;
  readonly view: TableView;
  readonly defaultSize: number;
  readonly pager?: Pager | undefined;
  readonly onView: (change: { page?: number; size?: number; sort?: string | undefined }) => void;
  /** Filters are active: an empty table reports no matches. */
  readonly filtered?: boolean;
  readonly onClearFilters?: () => void;
  /** A search found nothing, but would find rows if upper and lower case were one. */
  readonly otherCase?: OtherCase | undefined;
  readonly otherFields?: readonly OtherField[];
  /** The action an empty list offers. */
  readonly emptyAction?: ReactNode;
  /** Ids that were just changed (SHR-04). */
  readonly highlighted?: ReadonlySet<string>;
  readonly selection?: Selection<Row>;
  /** A click on a row, or Enter. Absent: rows lead nowhere. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** The page that a row leads to: on a phone the row is a link to it. */
  readonly linkOf?: ((row: Row) => RowLink) | undefined;
  /** What can be done with the selected rows, below the table. */
  readonly bar?: ReactNode;
  /** Filters and the like, above the table. */
  readonly tools?: ReactNode;
}
