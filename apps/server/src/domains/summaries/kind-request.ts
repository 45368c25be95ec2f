import type { Language, SummarySum } from '@highline/contract';
import type { Scope } from '../../kernel/index.ts';
import type { RowStreams } from '../../platform/listing/index.ts';
import type { OutageTime } from '../outages/index.ts';
import type { PlacesDeps } from '../places/index.ts';

/** What rows of a summary are read with. */
export interface KindSources extends PlacesDeps {
  readonly streams: RowStreams;
  /** A subscription that ends within this many days is expiring. */
  readonly expiringDays: number;
  /** Days for which connections are kept. */
  readonly keptDays: number;
  /** Days for which positions and coverage are kept. */
  readonly positionDays: number;
}

/** What a summary is about. */
export interface SummaryRequest {
  readonly scope: Scope;
  readonly time: OutageTime;
  readonly group: string | undefined;
  readonly carrier: string | undefined;
  readonly tag: string | undefined;
  /** What a row stands for; the usual one of the kind where nothing was chosen. */
  readonly sumBy: SummarySum | undefined;
  readonly language: Language;
  readonly now: Date;
}
