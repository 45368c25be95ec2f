import type { devices, PageQuery } from '@highline/contract';
import { subscriptionLabels } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { fieldOf, sortOf, type RowStreams } from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { devicesOf } from './device.filters.ts';
import {
  deviceJoins,
  deviceColumns,
  propertiesOf,
  secondsOf,
  stateOf,
  withLatestContact,
  type DeviceRow,
  type LiveContext,
  type EvaluationContext,
} from './device.dto.ts';
import { americanDay } from '../../kernel/calendar.ts';

type Subscription = z.input<typeof devices.listSubscriptions.response>['result'][number];
type LastValues = z.input<typeof devices.lastQuery.response>['result'][number];

/**
 * Convert the subscription list's paging to a query of the device list. @throws DomainError `request.invalid` for other columns
 */
export function subscriptionQuery(query: PageQuery): devices.DeviceListQuery {
  const { column, descending } = sortOf(query.sort, ['serial', 'expires', 'service', 'organization'] as const, 'serial');
  return {
    ...query,
    sort: descending ? `-${column}` : column,
    field: fieldOf(query.field, ['serial', 'note', 'organization'] as const, 'serial'),
  };
}

/** Device subscription entry (part 1, section 3). */
export function toSubscriptionDto(row: DeviceRow, context: EvaluationContext): Subscription {
  const state = stateOf(row, context);
  return {
    device_id: row.id,
    expired: americanDay(row.expires_on),
    is_expired: state === 'not-subscribed',
    subscription_status: subscriptionLabels[state],
    note: row.note,
    project: row.organization_id,
    serial_number: row.serial,
  };
}

/** The latest values of a device: `statistics/last_query`. */
export function toLastValuesDto(stored: DeviceRow, { now, contacts }: LiveContext): LastValues {
  const row = withLatestContact(stored, contacts);
  return {
    device: row.id,
    field_value: row.presence === 'online',
    properties: propertiesOf(row, now),
    on: secondsOf(row.last_seen_at),
  };
}

/** Every device of the scope, streamed by serial number. */
export function streamAllDevices(streams: RowStreams, scope: Scope): AsyncIterable<DeviceRow> {
  return streams.open<DeviceRow>(
    sql`select ${deviceColumns} from devices d ${deviceJoins} where ${devicesOf(scope)} order by d.serial, d.id`,
  );
}
