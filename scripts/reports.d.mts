import type { Failure } from './failures.mjs';

/** What a run of one file of tests came to; without a file it is what went wrong outside of any. */
export interface FileReport {
  readonly file?: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}
export function vitestFiles(report: object, folder: string): FileReport[];
export function playwrightFiles(report: object, folder: string): FileReport[];
