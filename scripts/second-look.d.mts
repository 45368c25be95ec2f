import type { FileReport } from './reports.mjs';
import type { Failure } from './failures.mjs';

export const FILES_AT_MOST: number;
export function withSecondLook(
  run: (files: readonly string[]) => Promise<readonly FileReport[]>,
): Promise<{ entries: FileReport[]; unsteady: Failure[] }>;
