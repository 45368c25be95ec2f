import type { reports } from '@highline/contract';
import { routerFacts, type RouterFact } from '../history/index.ts';
import { telemetryParameters, type TelemetryParameter } from '../telemetry/index.ts';

export type ReportLanguage = 'en-US' | 'zh-TW';
type Names = Readonly<Record<ReportLanguage, string>>;

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
  readonly names: Names;
}

const measured: Readonly<Record<TelemetryParameter, readonly [unit: string, english: string, chinese: string]>> = {
  rssi: ['dBm', 'Signal strength (RSSI)', '訊號強度（RSSI）'],
  rsrp: ['dBm', 'Signal power (RSRP)', '訊號功率（RSRP）'],
  rsrq: ['dB', 'Signal quality (RSRQ)', '訊號品質（RSRQ）'],
  temperature: ['°C', 'Temperature', '溫度'],
  voltage: ['V', 'Voltage', '電壓'],
  bytes_sent: ['B', 'Bytes sent', '已傳送位元組'],
  bytes_received: ['B', 'Bytes received', '已接收位元組'],
  battery: ['%', 'Battery', '電池電量'],
};

const labels: Readonly<Record<RouterFact, readonly [english: string, chinese: string]>> = {
  carrier: ['Carrier', '電信業者'],
  technology: ['Network technology', '網路技術'],
  firmware: ['Firmware version', '韌體版本'],
  config: ['Config file', '設定檔'],
  iccid: ['ICCID', 'ICCID'],
};

/** Numbers of properties that are not telemetry parameters. */
export const ONLINE_NUMBER = 1_001;
export const EVENT_NUMBER = 1_002;
const FIRST_FACT_NUMBER = 1_101;

/** All values that routers report over time, in display order. */
export const catalogue: readonly CataloguedProperty[] = [
  ...telemetryParameters.map((id, index): CataloguedProperty => {
    const [unit, english, chinese] = measured[id];
    // A migration gave the parameters their numbers in this order; a telemetry test compares the two.
    const names = { 'en-US': english, 'zh-TW': chinese };
    return { id, number: index + 1, source: 'telemetry', type: 'number', unit, names };
  }),
  connectivity('online', ONLINE_NUMBER, 'bool', { 'en-US': 'Online', 'zh-TW': '線上' }),
  connectivity('event', EVENT_NUMBER, 'string', { 'en-US': 'Connection event', 'zh-TW': '連線事件' }),
  ...routerFacts.map((id, index): CataloguedProperty => {
    const [english, chinese] = labels[id];
    const names = { 'en-US': english, 'zh-TW': chinese };
    return { id, number: FIRST_FACT_NUMBER + index, source: 'facts', type: 'string', unit: '', names };
  }),
];

function connectivity(id: string, number: number, type: 'bool' | 'string', names: Names): CataloguedProperty {
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

/** A property as the API returns it (part 2 section 3, "Device data"). */
export function toPropertyDto(
  { id, type, unit, names }: CataloguedProperty,
  language: ReportLanguage = 'en-US',
): reports.Property {
  return { property_id: id, property_name: names[language], property_type: type, unit };
}
