import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.00 KB'],
  [999_499, '999 KB'],
  [999_600, '1.00 MB'],
  [12_345_678, '12.3 MB'],
  [5_000_000_000, '5.00 GB'],
  [99_960_000_000, '100 GB'],
  [3e18, '3000 PB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
