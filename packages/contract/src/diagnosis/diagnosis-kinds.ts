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
