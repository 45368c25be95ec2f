import type { outages as calls } from '@highline/contract';
import type { Filter } from '../../ui/filter/filter.ts';
import type { Days } from '../../ui/time/period.ts';

/** What the calls of every view take. */
export interface OutageTabProps {
  readonly query: Days & {
    readonly zone: string;
    readonly kind?: calls.OutageKind | 'all';
    readonly device?: string;
    readonly group?: string;
    readonly carrier?: string;
    readonly hexagon?: string;
    readonly org?: string;
  };
  readonly days: Days;
  /** Since when there are outages, where the period begins before. */
  readonly since: Date | undefined;
  readonly filters: readonly Filter[];
}
