import { relative } from 'node:path';
import { root } from '../toolchain.mjs';

/** A test in the summary of `npm test`. */
export interface Result {
  /** The Vitest or Playwright project. */
  readonly part: string;
  /** `flaky`: passed only when it was tried again. */
  readonly state: 'passed' | 'failed' | 'flaky' | 'skipped';
  readonly title: string;
  readonly where: string;
  readonly message: string;
}

export const whereIs = (file: string, line?: number) => `${relative(root, file)}${line === undefined ? '' : `:${line}`}`;
