import { comparedValue, type Property, type ReportSearch } from '../reports/index.ts';
import type { Fields } from './address.ts';

/** The value that the records of a chart have: only of an "equal" condition, which "appear" is with a value. */
export const equalValue = ({ condition = 'appear', value }: Fields): string | undefined =>
  condition === 'equal' || condition === 'appear' ? value : undefined;

/** The records behind a chart, as filters of the report. */
export function recordsSearch(fields: Fields, properties: readonly Property[]): ReportSearch {
  const { day, from, until, group, device, property } = fields;
  const type = properties.find(({ property_id }) => property_id === property)?.property_type;
  const search: ReportSearch = {
    day,
    from,
    until,
    group,
    device,
    property,
    value: comparedValue(type, equalValue(fields) ?? ''),
  };
  return Object.fromEntries(Object.entries(search).filter(([, one]) => one !== undefined && one !== ''));
}
