import { type devices, subscriptionLabels } from '@highline/contract';
import type { z } from 'zod';
import {
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
export function toLastValuesDto(stored: DeviceRow, { now, contacts }: Pick<LiveContext, 'now' | 'contacts'>): LastValues {
  const row = withLatestContact(stored, contacts);
  return {
    device: row.id,
    field_value: row.presence === 'online',
    properties: propertiesOf(row, now),
    on: secondsOf(row.last_seen_at),
  };
}
