import { afterAll, vi } from 'vitest';

// The runner ends what a file still loads. A module that was loading then would never come for the next file of the worker, which shares them.
afterAll(() => vi.dynamicImportSettled());
