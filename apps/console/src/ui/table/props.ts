import type { ReactNode } from 'react';
import type { Selection } from '../list/useSelection.ts';
import type { Column } from './column.ts';
import type { TableSource, TableView } from './source.ts';

/** A foot that differs from the usual one: its own page sizes, numbers to click, and rows beyond what was counted. */
export interface Pager {
  readonly sizes: readonly number[];
  /** There are more rows than `total`. */
  readonly uncounted: boolean;
  /** The page lies beyond what was counted: its number alone does not lead to it. */
  readonly beyond: boolean;
  /** What was asked for last is not here yet. */
  readonly waiting: boolean;
  /** Fetch what comes after this page where no number leads there; undefined where one does, or nothing follows. */
  readonly onContinue: (() => void) | undefined;
}

/** Rows that a search finds only without regard to upper and lower case. */
export interface OtherCase {
  readonly count: number;
  readonly show: () => void;
}

export interface DataTableProps<Row> {
  /** Names the list for what a person chose to remember. */
  readonly id: string;
  /** Read to those who cannot see the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Stable per row, across refreshes. */
  readonly rowId: (row: Row) => string;
  readonly source: TableSource<Row>;
  readonly view: TableView;
  readonly defaultSize: number;
  readonly pager?: Pager | undefined;
  readonly onView: (change: { page?: number; size?: number; sort?: string | undefined }) => void;
  /** Filters are on: an empty table says that nothing matched. */
  readonly filtered?: boolean;
  readonly onClearFilters?: () => void;
  /** A search found nothing, but would find rows if upper and lower case were one. */
  readonly otherCase?: OtherCase | undefined;
  /** What an empty list offers to do. */
  readonly emptyAction?: ReactNode;
  /** Ids that were just changed (SHR-04). */
  readonly highlighted?: ReadonlySet<string>;
  readonly selection?: Selection<Row>;
  /** A click on a row, or Enter. Absent: rows lead nowhere. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Filters and the like, above the table. */
  readonly tools?: ReactNode;
}
