import { vi } from 'vitest';

/** Wait until all expectations hold; a timeout reports the last failed one. */
export function eventually(expectations: () => unknown): Promise<unknown> {
  return vi.waitFor(expectations, { timeout: 120_000, interval: 10 });
}
