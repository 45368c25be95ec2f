// Apart from what is known of each kind: the first page needs their names alone.
import type { DiagnosisKind } from './diagnoses.ts';

export const diagnosisKinds = [
  'identity',
  'supply',
  'antenna',
  'restarts',
  'sim',
  'storage',
  'heat',
  'unstable',
  'drops',
  'position',
  'place',
  'clock',
] as const satisfies readonly DiagnosisKind[];

/** Filters of device lists by what was found; `any` = anything. */
export const diagnosisFilters = ['any', ...diagnosisKinds] as const;
export type DiagnosisFilter = (typeof diagnosisFilters)[number];

/** How far a clock is off that is not set: more than 24 days, or its router says that it does not know the time. Milliseconds. */
export const CLOCK_NOT_SET_MS = 2 ** 31 - 1;

/** Whether a clock that is off by so much is not set. */
export const isClockUnset = (skewMs: number): boolean => Math.abs(skewMs) >= CLOCK_NOT_SET_MS;
