import type { SummaryKind, SummarySum } from '@highline/contract';

/** Of the address. */
export const periods = ['7', '30', 'last-week', 'month', 'last-month', 'dates'] as const;

/** What the page shows, as its address says it. */
export interface SummarySearch {
  readonly kind?: SummaryKind | undefined;
  readonly period?: (typeof periods)[number] | undefined;
  /** ISO days, of the period `dates`. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly group?: string | undefined;
  readonly carrier?: string | undefined;
  readonly tag?: string | undefined;
  readonly sumBy?: SummarySum | undefined;
  /** Ids, separated by commas. */
  readonly columns?: string | undefined;
}
