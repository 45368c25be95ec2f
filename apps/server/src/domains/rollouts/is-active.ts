import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';

/** The fields of a bound file that a router can report. `label`: version of the firmware, or name of the config file. */
type BoundField = 'label' | 'model' | 'sha256';

/** A bound file, to look for on a router. */
export interface BoundFile extends Readonly<Record<Exclude<BoundField, 'model'>, string>> {
  readonly kind: rollouts.BindingKind;
  /** Model that the firmware is for; null for a config file. */
  readonly model: string | null;
}

/** What a router reported that identifies its files. Columns of `devices` have the same names. A missing field was never reported. */
export interface ReportedFiles {
  readonly model?: string | null;
  readonly firmware?: string | null;
  readonly config?: string | null;
  readonly config_version?: string | null;
}

interface Match {
  readonly fact: keyof ReportedFiles;
  readonly field: BoundField;
  /** Whether a report can be compared; if left out, nothing reported is a difference. */
  readonly isComparable?: (value: string) => boolean;
}

/** A complete SHA-256, as our vendor extension reports it. Another version, such as a date, says nothing about the contents. */
const isSha256 = (value: string): boolean => /^[0-9a-f]{64}$/u.test(value);
const isKnown = (): boolean => true;

/** The definition of an active file: all of these are equal. The pure function and its SQL are both derived from it. */
const matches: Readonly<Record<rollouts.BindingKind, readonly Match[]>> = {
  firmware: [
    { fact: 'model', field: 'model', isComparable: isKnown },
    { fact: 'firmware', field: 'label', isComparable: isKnown },
  ],
  config: [
    { fact: 'config', field: 'label' },
    { fact: 'config_version', field: 'sha256', isComparable: isSha256 },
  ],
};

/** Whether a bound file is active on a router: true, false, or undefined when the router's report cannot be compared. */
export function isActive(bound: BoundFile, reported: ReportedFiles): boolean | undefined {
  const own = matches[bound.kind].map((match) => ({ ...match, value: reported[match.fact] ?? null }));
  if (own.some(({ isComparable, value }) => isComparable !== undefined && (value === null || !isComparable(value))))
    return undefined;
  return own.every(({ field, value }) => value === bound[field]);
}

/**
 * `isActive(…) === true` as a condition on `devices d`, for many routers at once.
 * @param bound the fields of the bound file; one that cannot be compared equals no text, so nothing else is checked here
 */
export function isActiveSql(kind: rollouts.BindingKind, bound: Partial<Readonly<Record<BoundField, Fragment>>>): Fragment {
  const equal = matches[kind].map(({ fact, field }) => sql`${sql.ref(`d.${fact}`)} = ${bound[field] ?? sql`null`}`);
  return sql`coalesce(${sql.join(equal, sql` and `)}, false)`;
}
