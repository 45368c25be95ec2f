/** The rows of a table and their loading state. */
export interface TableSource<Row> {
  /** Undefined until the first response. Old rows stay while new ones load. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  /** A call is under way. */
  readonly fetching: boolean;
  /** The error message for the user; undefined when there is none. */
  readonly error: string | undefined;
  readonly retry: () => void;
}

/** Which part of the list shows, and in which order. */
export interface TableView {
  readonly page: number;
  readonly size: number;
  readonly sort: string | undefined;
}
