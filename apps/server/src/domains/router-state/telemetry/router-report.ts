/** Values that a router measured at one time. */
export interface MeasuredReport {
  /** Epoch milliseconds. */
  readonly at: number;
  /** In the order of `readings`; undefined where the report has none. */
  readonly values: readonly (number | undefined)[];
}

/** Values that this router measured. */
export interface RouterReport extends MeasuredReport {
  readonly routerId: string;
  /** It is of before the router connected, so another process may have stored it, or this one longer ago than it knows. */
  readonly mayBeStored?: boolean;
}

/** How wrong the time of a report may be: clocks of routers are read in whole seconds over slow networks. Less than any interval of reports. */
export const CLOCK_ERROR_MS = 5_000;

/** PostgreSQL's own epoch, 2000-01-01, in epoch milliseconds: binary timestamps count microseconds from it. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** The time of a report as it is stored: microseconds since PostgreSQL's epoch. */
export const toMicroseconds = (at: number): number => Math.round((at - POSTGRES_EPOCH_MS) * 1_000);

/** Epoch milliseconds. */
export const fromMicroseconds = (microseconds: number): number => microseconds / 1_000 + POSTGRES_EPOCH_MS;
