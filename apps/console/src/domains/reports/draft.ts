import type { ReportSearch } from './reports.api.ts';

/** The form's values: the filters of the address, before or after Search. Empty text = not given. */
export type ReportDraft = Pick<ReportSearch, 'day' | 'from' | 'until'> & {
  readonly id: string;
  readonly group: string;
  readonly device: string;
  readonly property: string;
  readonly value: string;
  /** Undefined: the days give it its name. */
  readonly name: string | undefined;
};

/** The form as an address fills it. */
export function draftOf({
  day,
  from,
  until,
  id = '',
  group = '',
  device = '',
  property = '',
  value = '',
  name,
}: ReportSearch): ReportDraft {
  return { day, from, until, id, group, device, property, value, name };
}
