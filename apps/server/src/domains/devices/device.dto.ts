import {
  DEVICE_TYPE_ID,
  type devices,
  type DiagnosisKind,
  type inventory,
  type OfflineReason,
  type Presence,
  type RejectionReason,
  subscriptionState,
  type SubscriptionState,
  subscriptionLabels,
} from '@highline/contract';
import { sql } from 'kysely';
import { americanDay } from '../../kernel/calendar.ts';
import type { Contacts } from '../../platform/ports/contacts.ts';
import { rejectionOfDevice, udidColumn } from '../inventory/index.ts';
import { offlineExpected, textFacts, type TextKey } from '../router-state/index.ts';
import { firstDiagnosis } from './device-diagnosis.queries.ts';
import { estimatedPosition, positionTime } from './device-position.queries.ts';

type ReportedFacts = { readonly [Key in TextKey]: string | null };

/** A device as the screens' queries read it: `deviceColumns` on `devices d` with `deviceJoins`. */
export interface DeviceRow extends ReportedFacts {
  readonly id: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly router_id: string;
  readonly serial: string;
  readonly mac: string;
  readonly udid: string;
  /** How its router proves its identity. */
  readonly authentication: inventory.Authentication | null;
  readonly group_key: string;
  readonly group_name: string;
  readonly vehicle_number: string;
  readonly note: string;
  readonly tags: readonly string[];
  readonly started_on: string | null;
  readonly expires_on: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly version: number;
  readonly presence: Presence;
  readonly presence_since: Date | null;
  readonly presence_reason: string | null;
  readonly offline_expected: OfflineReason | null;
  readonly last_seen_at: Date | null;
  readonly up_since: Date | null;
  readonly rssi: number | null;
  readonly health: number | null;
  /** The most urgent one. */
  readonly diagnosis: DiagnosisKind | null;
  /** Of the newest position since the organization has the router; null = there never was one. */
  readonly position_at: Date | null;
  /** Where it probably is, when its positions say less. */
  readonly estimated_position: devices.EstimatedPosition | null;
  /** Of the present rejection of its router. */
  readonly rejected: RejectionReason | null;
}

const factColumns = sql.join(textFacts.map(({ key }) => sql.ref(`d.${key}`)));

export const deviceColumns = sql`d.id, d.organization_id, d.router_id, d.serial, d.mac, d.group_key, d.vehicle_number, d.note, d.tags,
  d.started_on::text as started_on, d.expires_on::text as expires_on, d.created_at, d.updated_at, d.version, d.presence,
  d.presence_since, d.presence_reason, ${offlineExpected} as offline_expected, d.health, c.last_contact_at as last_seen_at, d.up_since, ${factColumns}, ${udidColumn}, c.rssi, r.authentication,
  ${firstDiagnosis} as diagnosis, ${positionTime} as position_at, ${estimatedPosition} as estimated_position, ${rejectionOfDevice} as rejected,
  (select g.name from groups g where g.organization_id = d.organization_id and g.key = d.group_key) as group_name,
  (select o.name from organizations o where o.id = d.organization_id) as organization_name`;

/**
 * The last contact and its signal change all the time and order no list, so they are joined. The router names itself
 * (`udidColumn`).
 */
export const deviceJoins = sql`left join router_contacts c on c.router_id = d.router_id
  left join routers r on r.id = d.router_id`;

/** The additional input of a row's derived values. */
export interface EvaluationContext {
  readonly now: Date;
  readonly expiringDays: number;
}

/** A time, and the contacts that are newer than the database. */
export interface LiveContext extends EvaluationContext {
  readonly contacts: Contacts;
  /** Whether the caller may read where vehicles are. */
  readonly showsPositions: boolean;
}

/** The row with the last contact from memory, if its router is connected to this process. */
export function withLatestContact(row: DeviceRow, contacts: Contacts): DeviceRow {
  const latest = contacts.latest(row.router_id);
  if (latest === undefined || (row.last_seen_at !== null && row.last_seen_at > latest.at)) return row;
  return { ...row, last_seen_at: latest.at, rssi: latest.rssi === undefined ? row.rssi : latest.rssi };
}

/** The state of a device's subscription on the day of this time (SVC-01). */
export function stateOf(
  row: Pick<DeviceRow, 'started_on' | 'expires_on'>,
  { now, expiringDays }: EvaluationContext,
): SubscriptionState {
  return subscriptionState(row.started_on, row.expires_on, now, expiringDays);
}

/** Seconds since the router booted, while it is online; null otherwise. */
export function uptimeOf(row: Pick<DeviceRow, 'up_since'>, now: Date): number | null {
  return row.up_since === null ? null : Math.max(0, Math.floor((now.getTime() - row.up_since.getTime()) / 1_000));
}

/** Epoch seconds. */
export function secondsOf(at: Date | null): number | null {
  return at === null ? null : Math.floor(at.getTime() / 1_000);
}

/** Values reported by the router, as id/value pairs; values it never reported are absent (API-04). */
export function propertiesOf(row: DeviceRow, now: Date): { id: string; value: string }[] {
  const values = [
    ...textFacts.map(({ key, property }) => ({ id: property, value: row[key] })),
    { id: 'uptime', value: uptimeOf(row, now) },
    { id: 'rssi', value: row.rssi },
  ];
  return values.flatMap(({ id, value }) => (id === undefined || value === null ? [] : [{ id, value: String(value) }]));
}

/** A device with every field of part 1, section 3, under its exact name (API-04). */
export function toDeviceDto(stored: DeviceRow, context: LiveContext): devices.Device {
  const row = withLatestContact(stored, context.contacts);
  const state = stateOf(row, context);
  return {
    device: row.id,
    device_id: row.id,
    serial_number: row.serial,
    mac: row.mac,
    vehicle_number: row.vehicle_number,
    vehicleNumber: row.vehicle_number,
    note: row.note,
    tags: [...row.tags],
    group: row.group_key,
    group_name: row.group_name,
    field_value: row.presence === 'online',
    presence: row.presence,
    presence_since: secondsOf(row.presence_since),
    presence_reason: row.presence === 'online' ? null : row.presence_reason,
    offline_expected: row.offline_expected,
    rejected: row.rejected,
    last_seen: secondsOf(row.last_seen_at),
    device_name: row.vehicle_number === '' ? row.serial : row.vehicle_number,
    device_type_id: DEVICE_TYPE_ID,
    updated: row.updated_at.toISOString(),
    device_created: row.created_at.toISOString(),
    projectId: row.organization_id,
    projectName: row.organization_name,
    org: row.organization_id,
    subscription_status: subscriptionLabels[state],
    started: americanDay(row.started_on),
    expired: americanDay(row.expires_on),
    is_expired: state === 'not-subscribed',
    udid: row.udid,
    properties: propertiesOf(row, context.now),
    cellular_mno: row.carrier,
    cellular_imsi: row.imsi,
    cellular_iccid: row.iccid,
    cellular_mtn: row.mtn,
    cellular_imei: row.imei,
    cellular_eid: row.eid,
    cellular_rssi: row.rssi,
    cellular_technology: row.technology,
    health: row.health,
    diagnosis: row.diagnosis,
    position_at: secondsOf(row.position_at),
    estimated_position: context.showsPositions ? row.estimated_position : null,
  };
}
