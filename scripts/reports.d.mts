import type { Failure } from './failures.mjs';

/** Result of one test file; without a file, failures outside of any. */
export interface FileReport {
  readonly file?: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}
export function vitestFiles(report: object, folder: string): FileReport[];
export function playwrightFiles(report: object, folder: string): FileReport[];
