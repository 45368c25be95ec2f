import type { Bilingual, CsvColumn } from '../../platform/csv/index.ts';
import type { DocumentBlock } from '../../platform/pdf/document.ts';
import type { KindSources, SummaryRequest } from './kind-request.ts';

/** Columns by their ids, in their order. */
export type Columns<Row> = Readonly<Record<string, CsvColumn<Row>>>;

/** A kind of summary: its columns and rows, and what stands above its table. */
export interface Kind<Row> {
  readonly title: Bilingual;
  /** It is of now, not of a period. */
  readonly isOfNow?: boolean;
  /** Whose days it is about, whatever the zone of its reader: of UTC, or those in which each organization counts data used. Else they are the reader's. */
  readonly days?: 'UTC' | 'organization';
  /** It is of outages, of which the time before they are kept does not count. */
  readonly isOfOutages?: boolean;
  /** It is of coverage, of which the days before it is kept are not there. */
  readonly isOfCoverage?: boolean;
  columns(request: SummaryRequest, sources: Pick<KindSources, 'expiringDays'>): Columns<Row>;
  /** Ids of columns that it has only where they were chosen. */
  readonly chosenOnly?: readonly string[];
  rows(sources: KindSources, request: SummaryRequest): Promise<AsyncIterable<Row>>;
  /** What stands above the table of a document. */
  head?(sources: KindSources, request: SummaryRequest): AsyncIterable<DocumentBlock>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of a kind go to its own columns alone
export type AnyKind = Kind<any>;
/** A kind among those with other rows. */
export const kindOf = <Row>(kind: Kind<Row>): AnyKind => kind;
