import { DEFAULT_GROUP_KEY, notifications } from '@highline/contract';
import { dayIn } from '../../calendar.ts';
import { DomainError } from '../../failure.ts';
import { announce } from '../../live/announce.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';
import { versionOf } from './subscription.version.ts';
import {
  countSubscriptions,
  holdGroups,
  holdSubscription,
  putSubscription,
  removeSubscriptions,
  type Manner,
  type Subscription,
} from './subscriptions.store.ts';

export interface SubscriptionServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Addresses that one organization may have told: mails are for people, not for lists of them. */
const MOST_ADDRESSES = 1_000;
/** Addresses that a log entry names. */
const NAMED = 50;

/** A subscription as the call brings it. */
export interface WantedSubscription extends Manner {
  readonly mail: string;
  readonly recipient?: string | undefined;
  readonly events: readonly notifications.NotificationEvent[];
  readonly gids?: readonly string[] | undefined;
}

/**
 * Tell an address of these events from now on, and of nothing without any (SVC-02, USR-05). A save that changes nothing leaves no
 * trace.
 * @param isCurrent whether the version the caller saw is the one that stands, from If-Match
 * @throws DomainError `conflict.stale`, also for the later of two who enter one address at the same moment, `group.not_found`, `notification.too_many`, `request.invalid` for a zone that does not exist
 */
export async function saveSubscription(
  { database, clock }: SubscriptionServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  wanted: WantedSubscription,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  const now = clock.now();
  if (wanted.zone !== undefined) dayIn(wanted.zone, now);
  const { mail } = wanted;
  const events = notifications.notificationEvents.filter((event) => wanted.events.includes(event));
  await database.write(async (tx) => {
    const held = await holdSubscription(tx, scope, mail);
    if (!isCurrent(versionOf(held))) throw new DomainError('conflict.stale');
    if (events.length === 0) return end(tx, scope, actor, [mail], now);
    const recipient = wanted.recipient ?? held?.recipient ?? '';
    const subscription = { mail, recipient, events, groupKeys: await groupsOf(tx, scope, wanted.gids) };
    if (held !== undefined && isSame(held, subscription) && isKnown(held, wanted)) return;
    if (held === undefined && (await countSubscriptions(tx, scope)) >= MOST_ADDRESSES)
      throw new DomainError('notification.too_many', { field: 'mail' });
    const isPut = await putSubscription(tx, scope, subscription, wanted, { isNew: held === undefined }, now);
    // Somebody else entered the address at the same moment: this person has not seen what.
    if (!isPut) throw new DomainError('conflict.stale');
    await announce(tx, scope, 'notifications', []);
    const subject = { kind: 'notification', id: mail };
    const detail = {
      recipient,
      events,
      groups: subscription.groupKeys ?? 'all',
      ...(held === undefined ? {} : { before: before(held) }),
    };
    await recordAudit(tx, scope.organizationId, actor, { action: `Changed what ${mail} is told of`, subject, detail }, now);
  });
}

/** Tell addresses nothing any more. @returns how many had been told something */
export async function deleteSubscriptions(
  { database, clock }: SubscriptionServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  mails: readonly string[],
): Promise<number> {
  return database.write((tx) => end(tx, scope, actor, [...new Set(mails)].sort(), clock.now()));
}

async function end(tx: Tx, scope: OrganizationScope, actor: Actor, mails: readonly string[], now: Date): Promise<number> {
  const ended = await removeSubscriptions(tx, scope, mails);
  if (ended.length === 0) return 0;
  await announce(tx, scope, 'notifications', []);
  const action = ended.length === 1 ? `Ended the notifications of ${ended[0]}` : `Ended ${ended.length} notifications`;
  const event = { action, subject: { kind: 'notification', id: ended[0]! }, detail: { mails: ended.sort().slice(0, NAMED) } };
  await recordAudit(tx, scope.organizationId, actor, event, now);
  return ended.length;
}

/** Keys of the chosen groups in their order; null for all of them. @throws DomainError `group.not_found` */
async function groupsOf(tx: Tx, scope: OrganizationScope, gids: readonly string[] = []): Promise<string[] | null> {
  if (gids.length === 0 || gids.includes('all')) return null;
  const isDefault = (key: string) => key === DEFAULT_GROUP_KEY.replaceAll('+', ' ');
  const keys = [...new Set(gids.map((key) => (isDefault(key) ? DEFAULT_GROUP_KEY : key)))];
  const found = await holdGroups(tx, scope, keys);
  if (found.length < keys.length) throw new DomainError('group.not_found', { field: 'gids' });
  return found;
}

const before = ({ recipient, events, groupKeys }: Subscription) => ({ recipient, events, groups: groupKeys ?? 'all' });

const isSame = (one: Subscription, other: Subscription) => versionOf(one) === versionOf(other);

/** Whether nothing new is said of how to write to an address. */
function isKnown(held: { readonly language: string | null; readonly zone: string | null }, { language, zone }: Manner): boolean {
  return (language ?? held.language) === held.language && (zone ?? held.zone) === held.zone;
}
