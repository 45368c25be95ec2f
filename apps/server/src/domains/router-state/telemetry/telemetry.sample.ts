import type { ReadingKey } from '../facts.ts';

/** One measured value. */
export interface Sample {
  /** Epoch milliseconds by our clock. */
  readonly at: number;
  readonly parameter: ReadingKey;
  /** In the unit of the reading. */
  readonly value: number;
}
