import type { positions } from '@highline/contract';

type Reason = positions.PositionFault['reason'];

/** Count positions for a reason. @param received what the last of them was; written only where it is needed */
export type CountFault = (reason: Reason, received: string | (() => string), count?: number) => void;

/** Positions of one message that are rejected or corrected: a router may send ten thousand for the same reason. */
export class FaultCounts {
  readonly #counts = new Map<Reason, { count: number; received: string | (() => string) }>();

  readonly add: CountFault = (reason, received, count = 1) => {
    this.#counts.set(reason, { count: (this.#counts.get(reason)?.count ?? 0) + count, received });
  };

  /** Each reason once. */
  forEach(take: (reason: Reason, received: string, count: number) => void): void {
    for (const [reason, { count, received }] of this.#counts)
      take(reason, typeof received === 'string' ? received : received(), count);
  }
}
