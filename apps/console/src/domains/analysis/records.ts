import { comparedValue, type Property, type ReportSearch } from '../reports/index.ts';
import type { Fields } from './address.ts';

/** The records behind a chart, as filters of the report. Only an "equal" condition becomes a filter. */
export function recordsSearch(
  { day, from, until, group, device, property, condition = 'appear', value = '' }: Fields,
  properties: readonly Property[],
): ReportSearch {
  const type = properties.find(({ property_id }) => property_id === property)?.property_type;
  const exact = condition === 'equal' || condition === 'appear' ? comparedValue(type, value) : undefined;
  const search: ReportSearch = { day, from, until, group, device, property, value: exact };
  return Object.fromEntries(Object.entries(search).filter(([, one]) => one !== undefined && one !== ''));
}
