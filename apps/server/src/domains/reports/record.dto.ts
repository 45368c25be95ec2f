import { DEVICE_TYPE_ID, type reports } from '@highline/contract';
import { propertyOfNumber, type ReportLanguage } from './property.catalogue.ts';

/** A record joined with its device's present names. */
export interface RecordRow {
  readonly at: Date;
  readonly property: number;
  readonly value: number | null;
  readonly text_value: string | null;
  readonly device_id: string;
  readonly serial: string;
  readonly udid: string;
  readonly vehicle_number: string;
  readonly model: string | null;
  readonly group_key: string;
  readonly group_name: string | null;
}

type NamedDevice = Pick<RecordRow, 'serial' | 'vehicle_number' | 'model'>;

/** The display name of a device: its vehicle's number, or its serial number. */
export function nameOf({ vehicle_number: vehicle, serial }: NamedDevice): string {
  return vehicle === '' ? serial : vehicle;
}

/** Its model, if the router reported it. */
export function typeOf({ model }: Pick<NamedDevice, 'model'>): string {
  return model === null || model === '' ? DEVICE_TYPE_ID : model;
}

/** A number in answers: ten decimals (SHR-09). */
export function rounded(value: number): number {
  return Math.abs(value) < 1e15 ? Number(value.toFixed(10)) : value;
}

/** Collected record (part 2, section 3). */
export function toRecordDto(row: RecordRow, language: ReportLanguage = 'en-US'): reports.CollectedRecord {
  const { id, names, type } = propertyOfNumber(row.property);
  return {
    device: row.device_id,
    device_name: nameOf(row),
    device_type: typeOf(row),
    group: row.group_key,
    group_name: row.group_name ?? '',
    udid: row.udid,
    on: row.at.getTime(),
    field: id,
    field_name: names[language],
    field_type: type,
    field_value: row.value === null ? (type === 'bool' ? row.text_value === 'true' : (row.text_value ?? '')) : rounded(row.value),
  };
}
