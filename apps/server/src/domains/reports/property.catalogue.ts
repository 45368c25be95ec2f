import type { reports } from '@highline/contract';
import { readings, recordedFacts, type FactNames } from '../router-state/index.ts';

export type ReportLanguage = 'en-US' | 'zh-TW';

/** A property of records, and the table of its records. */
export interface CataloguedProperty {
  /** Its name in the API. */
  readonly id: string;
  /**
   * Its number in `telemetry_parameters`; those of other tables have numbers of their own above. Orders records of the same time.
   */
  readonly number: number;
  readonly source: 'telemetry' | 'connectivity' | 'facts';
  readonly type: Exclude<reports.PropertyType, 'picture'>;
  /** Empty = none. */
  readonly unit: string;
  readonly names: FactNames;
}

/** Numbers of properties that are not telemetry parameters. */
export const ONLINE_NUMBER = 1_001;
export const EVENT_NUMBER = 1_002;

/** All values that routers report over time, in display order. */
export const catalogue: readonly CataloguedProperty[] = [
  ...readings.map(({ key, number, unit, names }): CataloguedProperty => ({
    id: key,
    number,
    source: 'telemetry',
    type: 'number',
    unit,
    names,
  })),
  connectivity('online', ONLINE_NUMBER, 'bool', { 'en-US': 'Online', 'zh-TW': '線上' }),
  connectivity('event', EVENT_NUMBER, 'string', { 'en-US': 'Connection event', 'zh-TW': '連線事件' }),
  ...recordedFacts.map(({ key, recorded }): CataloguedProperty => ({
    id: key,
    ...recorded,
    source: 'facts',
    type: 'string',
    unit: '',
  })),
];

function connectivity(id: string, number: number, type: 'bool' | 'string', names: FactNames): CataloguedProperty {
  return { id, number, source: 'connectivity', type, unit: '', names };
}

const byId = new Map(catalogue.map((each) => [each.id, each]));
const byNumber = new Map(catalogue.map((each) => [each.number, each]));

/** The property with this id; undefined if routers report no such value. */
export function findProperty(id: string): CataloguedProperty | undefined {
  return byId.get(id);
}

/** By the number in the rows; there is one for each that was ever written. */
export function propertyOfNumber(number: number): CataloguedProperty {
  return byNumber.get(number)!;
}

/** The properties as the API returns them (part 2 section 3, "Device data"). */
export const propertyDtos: reports.Property[] = catalogue.map(({ id, type, unit, names }) => ({
  property_id: id,
  property_name: names['en-US'],
  property_type: type,
  unit,
}));
