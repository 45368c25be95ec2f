import { vi } from 'vitest';

/** Wait until every expectation in it holds, for they will; the last one that failed is what a reader sees. */
export function eventually(expectations: () => unknown): Promise<unknown> {
  return vi.waitFor(expectations, { timeout: 120_000, interval: 10 });
}
