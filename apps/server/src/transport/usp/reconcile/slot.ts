import { guard } from '../../../kernel/guard.ts';

interface Slot {
  readonly slotMs: number;
  /** The router owes a response. */
  owesResponse(): boolean;
  /** Lets the next router begin. */
  release(): void;
  readonly log: Parameters<typeof guard>[0];
}

/**
 * Release the slot of a router that has had it for `slotMs` and owes a response. One that waits for the database keeps it: otherwise
 * ever more of them would wait there together, until each had waited too long.
 * @returns ends this
 */
export function releaseWhenSlow({ slotMs, owesResponse, release, log }: Slot): () => void {
  const look = guard(log, release, () => {
    if (owesResponse()) release();
    else timer.refresh();
  });
  const timer = setTimeout(look, slotMs);
  return () => clearTimeout(timer);
}
