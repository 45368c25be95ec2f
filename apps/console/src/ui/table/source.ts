/** Where a table's rows come from, and how far they have come. */
export interface TableSource<Row> {
  /** Undefined until the first answer. Old rows stay while new ones load. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  /** A call is under way. */
  readonly fetching: boolean;
  /** What went wrong, in words for the person; undefined when nothing did. */
  readonly error: string | undefined;
  readonly retry: () => void;
}

/** Which part of the list shows, and in which order. */
export interface TableView {
  readonly page: number;
  readonly size: number;
  readonly sort: string | undefined;
}
