import type { Fragment } from './fragment.ts';
import type { Segment } from './order.ts';

/** A list to be paged: scope, order and columns. */
export interface List {
  /** See cursor.ts: identifies this list, so that cursors of others are rejected. */
  readonly fingerprint: string;
  /** The listed table with its alias; segments that read only this table use this very object. */
  readonly table: Fragment;
  readonly alias: string;
  /** Primary key of the listed table. */
  readonly identity: readonly string[];
  /** The column that is unique within the scope: `id` by default. */
  readonly ownKey?: string;
  /** Tenant condition; part of every statement of the list. */
  readonly scope: Fragment;
  /** Further conditions. */
  readonly filters: readonly Fragment[];
  /**
   * PostgreSQL can estimate the rows of these filters (values of an index, a range of the order itself), so it plans well by
   * itself. A text search is not estimable.
   */
  readonly estimatable?: boolean;
  /** Columns of a row; evaluated only for the rows of the page. */
  readonly columns: Fragment;
  /** Further tables that `columns` reads, as `left join …`. */
  readonly joins?: Fragment;
  readonly segments: readonly Segment[];
  /** The statements of this list repeat (no rare filters): prepare them. */
  readonly prepared: boolean;
}
