import { notifications } from '@highline/contract';

export type NotificationEvent = notifications.NotificationEvent;
export type Subscription = notifications.NotificationRecipient;
type ExpiryEvent = notifications.ExpiryEvent;
export type Happening = (typeof notifications.happenings)[number];

export const { expiryEvents } = notifications;

/** The events besides ending subscriptions, by topic. */
export const happeningKinds: Readonly<Record<'devices' | 'updates' | 'alarms' | 'router' | 'data', readonly Happening[]>> = {
  devices: ['DEVICE_ADDED', 'DEVICE_DELETED'],
  updates: ['FIRMWARE_UPLOADED', 'CONFIG_UPLOADED', 'FOTA_GROUP_SETUP'],
  alarms: ['BATTERY_LOW', 'BATTERY_LOW_CLEAR', 'THERMAL_5G_PROTECT', 'THERMAL_5G_PROTECT_CLEAR'],
  router: ['DEVICE_ADMIN_CHANGE_PASSWORD', 'DEVICE_FACTORY_RESET'],
  data: ['DATA_USE'],
};

/** The values of the notification form. */
export interface RecipientInput {
  readonly mail: string;
  /** The person behind the address; may stay empty. */
  readonly recipient: string;
  /** Keys of groups; none = all of them. */
  readonly groups: readonly string[];
  readonly events: readonly NotificationEvent[];
}

/** A new recipient: all three periods are on (SVC-02). */
export const newRecipient: RecipientInput = { mail: '', recipient: '', groups: [], events: expiryEvents };

/** The initial values of the form for a recipient. */
export function recipientInputOf({ mail, recipient, gids, types }: Subscription): RecipientInput {
  return { mail, recipient, groups: gids.filter((key) => key !== 'all'), events: types };
}

/** Those about ending subscriptions, the shortest notice first. */
export function periodsOf(events: readonly NotificationEvent[]): readonly ExpiryEvent[] {
  return expiryEvents.filter((period) => events.includes(period));
}

/** All others, in the order the form shows them. */
export function happeningsOf(events: readonly NotificationEvent[]): readonly Happening[] {
  return notifications.happenings.filter((event) => events.includes(event));
}

/** The same events with one more or one less. */
export function withEvent<Event extends string>(events: readonly Event[], event: Event, on: boolean): readonly Event[] {
  const rest = events.filter((one) => one !== event);
  return on ? [...rest, event] : rest;
}

/** Whether two forms are equal, regardless of the order of selection. */
export function isSameRecipient(one: RecipientInput, other: RecipientInput): boolean {
  const textOf = ({ mail, recipient, groups, events }: RecipientInput) =>
    JSON.stringify([mail, recipient.trim(), groups.toSorted(), events.toSorted()]);
  return textOf(one) === textOf(other);
}

/** Restricted to groups that were all deleted, so nothing is sent. */
export const hasNoGroup = ({ gids }: Subscription) => gids.length === 0;
