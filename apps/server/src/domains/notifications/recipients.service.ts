import { normalizeGroupKey, notificationRights, notifications } from '@highline/contract';
import { dayIn, DomainError, requireRight, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { versionOf } from './recipient.version.ts';
import {
  countRecipients,
  lockRecipientGroups,
  lockRecipient,
  putRecipient,
  removeRecipients,
  type Manner,
  type StoredRecipient,
} from './recipients.store.ts';

export interface RecipientServiceDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Counts an address that an account enters; throws `account.too_many_tries` beyond its daily limit. */
  readonly countPerson: (tx: Tx, accountId: string, now: Date) => Promise<void>;
}

/** The most addresses of one organization: mails are for users, not for mailing lists. */
const MOST_ADDRESSES = 1_000;
/** The most addresses listed in a log entry. */
const NAMED = 50;

/** A notification entry in an API call. */
export interface RecipientInput extends Manner {
  readonly mail: string;
  readonly recipient?: string | undefined;
  readonly events: readonly notifications.NotificationEvent[];
  readonly gids?: readonly string[] | undefined;
}

/**
 * Set the events that an address gets mails about; with no events the entry ends (SVC-02, USR-05). A save that changes nothing is
 * not logged.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `conflict.stale`, also for the later of two concurrent first entries, `group.not_found`,
 * `notification.too_many`, `request.invalid` for an unknown zone,
 * `key.not_allowed`, `account.too_many_tries` after several hundred new addresses in a day
 */
export async function saveRecipient(
  { database, clock, countPerson }: RecipientServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: RecipientInput,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  const now = clock.now();
  if (input.zone !== undefined) dayIn(input.zone, now);
  const { mail } = input;
  const events = notifications.notificationEvents.filter((event) => input.events.includes(event));
  // Who chooses where events go must be allowed to read them.
  for (const event of events) requireRight(actor, notificationRights[event]);
  await database.write(async (tx) => {
    const locked = await lockRecipient(tx, scope, mail);
    if (!isCurrent(versionOf(locked))) throw new DomainError('conflict.stale');
    if (events.length === 0) return end(tx, scope, actor, [mail], now);
    const recipient = input.recipient ?? locked?.recipient ?? '';
    const stored = { mail, recipient, events, groupKeys: await groupsOf(tx, scope, input.gids) };
    if (locked !== undefined && isSame(locked, stored) && isKnown(locked, input)) return;
    if (locked === undefined && (await countRecipients(tx, scope)) >= MOST_ADDRESSES)
      throw new DomainError('notification.too_many', { field: 'mail' });
    // Recipients are mailed without their consent: count them together with invitations.
    if (locked === undefined) await countPerson(tx, actor.accountId, now);
    const isPut = await putRecipient(tx, scope, stored, input, { isNew: locked === undefined }, now);
    // The address was entered concurrently: this user has not seen that entry.
    if (!isPut) throw new DomainError('conflict.stale');
    await announce(tx, scope, 'notifications', []);
    const subject = { kind: 'notification', id: mail };
    const detail = {
      recipient,
      events,
      groups: stored.groupKeys ?? 'all',
      ...(locked === undefined ? {} : { before: before(locked) }),
    };
    await recordAudit(tx, scope.organizationId, actor, { action: sentence('notifications.changed', mail), subject, detail }, now);
  });
}

/** End the notifications of addresses. @returns how many had an entry */
export async function deleteRecipients(
  { database, clock }: Pick<RecipientServiceDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
  mails: readonly string[],
): Promise<number> {
  return database.write((tx) => end(tx, scope, actor, [...new Set(mails)].sort(), clock.now()));
}

async function end(tx: Tx, scope: OrganizationScope, actor: Actor, mails: readonly string[], now: Date): Promise<number> {
  const ended = await removeRecipients(tx, scope, mails);
  if (ended.length === 0) return 0;
  await announce(tx, scope, 'notifications', []);
  const action =
    ended.length === 1 ? sentence('notifications.ended', ended[0]!) : sentence('notifications.many_ended', ended.length);
  const event = { action, subject: { kind: 'notification', id: ended[0]! }, detail: { mails: ended.sort().slice(0, NAMED) } };
  await recordAudit(tx, scope.organizationId, actor, event, now);
  return ended.length;
}

/** Keys of the chosen groups in their order; null for all of them. @throws DomainError `group.not_found` */
async function groupsOf(tx: Tx, scope: OrganizationScope, gids: readonly string[] = []): Promise<string[] | null> {
  if (gids.length === 0 || gids.includes('all')) return null;
  const keys = [...new Set(gids.map(normalizeGroupKey))];
  const found = await lockRecipientGroups(tx, scope, keys);
  if (found.length < keys.length) throw new DomainError('group.not_found', { field: 'gids' });
  return found;
}

const before = ({ recipient, events, groupKeys }: StoredRecipient) => ({ recipient, events, groups: groupKeys ?? 'all' });

const isSame = (one: StoredRecipient, other: StoredRecipient) => versionOf(one) === versionOf(other);

/** Whether language and zone of an address are unchanged. */
function isKnown(
  locked: { readonly language: string | null; readonly zone: string | null },
  { language, zone }: Manner,
): boolean {
  return (language ?? locked.language) === locked.language && (zone ?? locked.zone) === locked.zone;
}
