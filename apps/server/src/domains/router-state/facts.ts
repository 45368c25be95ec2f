import { normalizeEid, normalizeIccid, normalizeImei, normalizeImsi, normalizeMsisdn } from '@highline/usp';
import { CONFIG_FILES, INFO, MODEMS, readFlag, SIMS, TEMPERATURES, VEHICLE, VOLTAGES } from '../../kernel/tr181.ts';

export type FactNames = Readonly<Record<'en-US' | 'zh-TW', string>>;

/** A parameter of the data model (TR-181). */
export interface Parameter {
  /** Table with the final dot: the instance in use holds the parameter. Empty: `name` is the whole path. */
  readonly table: string;
  readonly name: string;
  /** Id of the subscription to its changes; undefined = read at every connect only. */
  readonly watch?: string;
}

/** A value that a router reports about itself and that we keep until it reports another. */
export interface Fact {
  /** Its name in `routers.reported`, and its column of `devices`. */
  readonly key: string;
  /** Where routers keep it: the first parameter with a value counts. Empty = it follows from tables (`tables/derived-facts.ts`). */
  readonly from: readonly Parameter[];
  /** How it is read: text as it is, a number with its own format, or an uptime in seconds as the time of the start. */
  readonly format: 'text' | 'uptime' | ((text: string) => string | undefined);
  /** A number that is not valid is not kept: it could be taken for another one. */
  readonly isStrict?: boolean;
  /** Its id among the properties of a device in the API (API-04). */
  readonly property?: string;
  /** Every change is kept and is a record of reports: number of the property (above those of readings) and its names. */
  readonly recorded?: { readonly number: number; readonly names: FactNames };
}

/** A number that routers measure over time. Values out of range are dropped. */
export interface Reading {
  /** Its name in `telemetry_parameters`. */
  readonly key: string;
  /** Its number there; a migration gives it. */
  readonly number: number;
  readonly from: Parameter;
  /** From the unit of TR-181 to ours. */
  readonly factor: number;
  readonly least: number;
  readonly most: number;
  readonly unit: string;
  readonly names: FactNames;
}

const info = (name: string, watch?: string) => at('', `${INFO}${name}`, watch);
const file = (name: string, watch?: string) => at(CONFIG_FILES, name, watch);
const modem = (name: string, watch?: string) => at(MODEMS, name, watch);
const sim = (name: string, watch?: string) => at(SIMS, name, watch);
/** TR-181 keeps these values with the SIM since 2.19, before that with the modem, which has only those of the SIM in use. */
const simNumber = (name: string) => [modem(`USIM.${name}`, 'highline-usim'), sim(name, 'highline-sim')];

function ignitionOf(text: string): string | undefined {
  const isOn = readFlag(text);
  return isOn === undefined ? undefined : isOn ? 'on' : 'off';
}

function at(table: string, name: string, watch?: string): Parameter {
  return watch === undefined ? { table, name } : { table, name, watch };
}

/**
 * Every fact that routers report (DEV-09), one row each. Reading, subscriptions, the columns of `devices` and their copies, the
 * history of changes and the properties of reports follow from it: a new fact is a row here, a migration and a label.
 */
const rows = [
  { key: 'model', from: [info('ModelName'), info('ProductClass')], format: 'text', property: 'model' },
  { key: 'hardware_version', from: [info('HardwareVersion')], format: 'text', property: 'hardware' },
  {
    key: 'firmware',
    from: [info('SoftwareVersion', 'highline-firmware')],
    format: 'text',
    property: 'firmware',
    recorded: { number: 1_103, names: { 'en-US': 'Firmware version', 'zh-TW': '韌體版本' } },
  },
  {
    key: 'config',
    from: [file('Name', 'highline-config'), file('Version')],
    format: 'text',
    property: 'config',
    recorded: { number: 1_104, names: { 'en-US': 'Config file', 'zh-TW': '設定檔' } },
  },
  // A version is any text (TR-181); only our extension reports the contents.
  { key: 'config_version', from: [file('X_HIGHLINE_SHA256'), file('Version')], format: 'text' },
  { key: 'booted_at', from: [info('UpTime')], format: 'uptime' },
  {
    key: 'carrier',
    from: [modem('NetworkInUse', 'highline-modem')],
    format: 'text',
    property: 'carrier',
    recorded: { number: 1_101, names: { 'en-US': 'Carrier', 'zh-TW': '電信業者' } },
  },
  {
    key: 'technology',
    from: [modem('CurrentAccessTechnology', 'highline-modem')],
    format: 'text',
    property: 'technology',
    recorded: { number: 1_102, names: { 'en-US': 'Network technology', 'zh-TW': '網路技術' } },
  },
  // TR-181 has no cell identity. 28 bits in LTE, 36 bits in NR, in decimal.
  {
    key: 'cell_id',
    from: [modem('X_HIGHLINE_CellID', 'highline-modem')],
    format: 'text',
    property: 'cell_id',
  },
  {
    key: 'uplink_kind',
    from: [],
    format: 'text',
    property: 'uplink_kind',
    recorded: { number: 1_106, names: { 'en-US': 'Active uplink', 'zh-TW': '使用中的對外連線' } },
  },
  // TR-181 has no ignition. 'on' or 'off'; nothing is derived for a router that does not report it.
  {
    key: 'ignition',
    from: [at('', `${VEHICLE}Ignition`, 'highline-ignition')],
    format: ignitionOf,
    isStrict: true,
    property: 'ignition',
    recorded: { number: 1_107, names: { 'en-US': 'Ignition', 'zh-TW': '點火狀態' } },
  },
  { key: 'imei', from: [modem('IMEI')], format: normalizeImei },
  { key: 'imsi', from: simNumber('IMSI'), format: normalizeImsi },
  {
    key: 'iccid',
    from: simNumber('ICCID'),
    format: normalizeIccid,
    recorded: { number: 1_105, names: { 'en-US': 'ICCID', 'zh-TW': 'ICCID' } },
  },
  { key: 'mtn', from: simNumber('MSISDN'), format: normalizeMsisdn, isStrict: true },
  { key: 'eid', from: [sim('EID')], format: normalizeEid },
] as const satisfies readonly Fact[];

const series = [
  reading('rssi', 1, modem('RSSI'), [-199, -1], 'dBm', 'Signal strength (RSSI)', '訊號強度（RSSI）'),
  reading('rsrp', 2, modem('RSRP'), [-199, -1], 'dBm', 'Signal power (RSRP)', '訊號功率（RSRP）'),
  reading('rsrq', 3, modem('RSRQ'), [-60, 30], 'dB', 'Signal quality (RSRQ)', '訊號品質（RSRQ）'),
  // −274 means "no reading" (TR-181).
  reading('temperature', 4, at(TEMPERATURES, 'Value'), [-100, 300], '°C', 'Temperature', '溫度'),
  // TR-181 uses millivolts, we use volts.
  { ...reading('voltage', 5, at(VOLTAGES, 'Voltage'), [0, 1_000], 'V', 'Voltage', '電壓'), factor: 0.001 },
  reading('bytes_sent', 6, modem('Stats.BytesSent'), [0, Number.MAX_SAFE_INTEGER], 'B', 'Bytes sent', '已傳送位元組'),
  reading('bytes_received', 7, modem('Stats.BytesReceived'), [0, Number.MAX_SAFE_INTEGER], 'B', 'Bytes received', '已接收位元組'),
  reading('battery', 8, at('', `${VEHICLE}BatteryCharge`), [0, 100], '%', 'Battery', '電池電量'),
  // TR-181 has no SINR.
  reading('sinr', 9, modem('X_HIGHLINE_SINR'), [-40, 60], 'dB', 'Signal to noise (SINR)', '訊號雜訊比（SINR）'),
] as const satisfies readonly Reading[];

function reading<const Key extends string>(
  key: Key,
  number: number,
  from: Parameter,
  [least, most]: readonly [least: number, most: number],
  unit: string,
  ...[english, chinese]: readonly [english: string, chinese: string]
) {
  return { key, number, from, factor: 1, least, most, unit, names: { 'en-US': english, 'zh-TW': chinese } };
}

export type FactKey = (typeof rows)[number]['key'];
export type ReadingKey = (typeof series)[number]['key'];
/** Facts that are text: columns of `devices` as they are. */
export type TextKey = Exclude<(typeof rows)[number], { readonly format: 'uptime' }>['key'];
/** Facts whose changes are kept. */
export type RecordedKey = Extract<(typeof rows)[number], { readonly recorded: object }>['key'];

export const facts: readonly (Fact & { readonly key: FactKey })[] = rows;
/** Facts that are text. */
export const textFacts: readonly (Fact & { readonly key: TextKey })[] = rows.filter((fact) => fact.format !== 'uptime');
/** In the order of their numbers. */
export const readings: readonly (Reading & { readonly key: ReadingKey })[] = series;

/** A fact whose changes are kept. */
export interface RecordedFact extends Fact {
  readonly key: RecordedKey;
  readonly recorded: NonNullable<Fact['recorded']>;
}

/** Facts whose changes are kept, in the order of their numbers. */
export const recordedFacts: readonly RecordedFact[] = rows
  .filter((fact) => 'recorded' in fact)
  .toSorted((a, b) => a.recorded.number - b.recorded.number);
