import type { rollouts } from '@highline/contract';
import { plainVersion } from '@highline/image';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';

/** The fields of a bound file that a router can report. `label`: version of the firmware, or name of the config file. */
type BoundField = 'label' | 'model' | 'sha256';

/** A bound file, to look for on a router. */
export interface BoundFile extends Readonly<Record<Exclude<BoundField, 'model'>, string>> {
  readonly kind: rollouts.RolloutKind;
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
  /** Both are compared in this form; if left out, as they are. */
  readonly form?: { readonly of: (value: string) => string; readonly sql: (value: Fragment) => Fragment };
}

/** A complete SHA-256, as our vendor extension reports it. Another version, such as a date, says nothing about the contents. */
const isSha256 = (value: string): boolean => /^[0-9a-f]{64}$/u.test(value);
const isKnown = (): boolean => true;
/** `plainVersion` in SQL. */
export const plainVersionSql = (version: Fragment): Fragment => sql`regexp_replace(${version}, '^[vV](?=[0-9])', '')`;
const version = { of: plainVersion, sql: plainVersionSql };
const asItIs = { of: (value: string) => value, sql: (value: Fragment) => value };

/** The definition of an active file: all of these are equal. The pure function and its SQL are both derived from it. */
const matches: Readonly<Record<rollouts.BindingKind, readonly Match[]>> = {
  firmware: [
    { fact: 'model', field: 'model', isComparable: isKnown },
    { fact: 'firmware', field: 'label', isComparable: isKnown, form: version },
  ],
  config: [
    { fact: 'config', field: 'label' },
    { fact: 'config_version', field: 'sha256', isComparable: isSha256 },
  ],
};

/**
 * Whether a bound file is active on a router: true, false, or undefined when the router's report cannot be compared. Settings are compared when
 * they are applied, and by router-settings.
 */
export function isActive(bound: BoundFile, reported: ReportedFiles): boolean | undefined {
  if (bound.kind === 'settings') return undefined;
  const own = matches[bound.kind].map((match) => ({ ...match, value: reported[match.fact] ?? null }));
  if (own.some(({ isComparable, value }) => isComparable !== undefined && (value === null || !isComparable(value))))
    return undefined;
  return own.every(({ field, value, form = asItIs }) => {
    const other = bound[field];
    return value !== null && other !== null && form.of(value) === form.of(other);
  });
}

/**
 * `isActive(…) === true` as a condition on `devices d`, for many routers at once.
 * @param bound the fields of the bound file; one that cannot be compared equals no text, so nothing else is checked here
 */
export function isActiveSql(kind: rollouts.BindingKind, bound: Partial<Readonly<Record<BoundField, Fragment>>>): Fragment {
  const equal = matches[kind].map(
    ({ fact, field, form = asItIs }) => sql`${form.sql(sql.ref(`d.${fact}`))} = ${form.sql(bound[field] ?? sql`null`)}`,
  );
  return sql`coalesce(${sql.join(equal, sql` and `)}, false)`;
}

/** What a router runs instead of the bound file: one that is named alike differs by its contents. */
export function differenceOf(bound: BoundFile, { firmware, config, config_version: sum }: ReportedFiles): string | null {
  if (bound.kind === 'firmware') return firmware ? `${firmware} ≠ ${bound.label}` : null;
  if (!config) return null;
  return config === bound.label && sum ? `${sum.slice(0, 12)} ≠ ${bound.sha256.slice(0, 12)}` : `${config} ≠ ${bound.label}`;
}
