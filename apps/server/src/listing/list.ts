import type { Fragment } from './fragment.ts';
import type { Segment } from './order.ts';

/** A list to be paged: whose rows, in which order, shown how. */
export interface List {
  /** See cursor.ts: names this list, so that cursors of others are refused. */
  readonly fingerprint: string;
  /** The listed table with its alias; segments that are read from it alone name this very piece. */
  readonly table: Fragment;
  readonly alias: string;
  /** Primary key of the listed table. */
  readonly identity: readonly string[];
  /** The column that is unique within the scope: `id`, unless the table has another. */
  readonly ownKey?: string;
  /** Whose rows; every statement of the list holds it. */
  readonly scope: Fragment;
  /** Which of them. */
  readonly filters: readonly Fragment[];
  /**
   * The filters are of a kind whose rows PostgreSQL foresees (values of an index, a stretch of the order itself), so that it chooses
   * the way to them by itself. A search is not: of texts it knows next to nothing.
   */
  readonly foreseen?: boolean;
  /** What a row shows; evaluated for the rows of the page alone. */
  readonly columns: Fragment;
  /** Further tables that `columns` reads, as `left join …`. */
  readonly beside?: Fragment;
  readonly segments: readonly Segment[];
  /** The statements of this list come again and again (no filter that makes them rare): prepare them. */
  readonly prepared: boolean;
}
