import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { enqueueMails } from '../mails/index.ts';
import type { EventDetail } from './events.store.ts';
import { eventMail, type NotifiedEvent } from './notification.mail.ts';
import { findRecipients, type Recipient } from './recipients.queries.ts';
import { lockThrottle, insertDeliveries, setThrottle, type Throttle } from './event-mailer.store.ts';
import type { Row } from '../../platform/ports/tables.ts';

export interface EventMailerDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Scheme, name and port of links in mails. */
  readonly origin: () => string;
}

/** Kinds of events processed in one run. */
const AT_ONCE = 500;
/** The most events of one mail; more wait for the next. */
const MOST_EVENTS = 20_000;
/** The most events listed in a mail. */
const LISTED = 50;
const FIRST_PAUSE_SECONDS = 60;
/** For continuing events the window between mails grows up to this. */
const LONGEST_PAUSE_SECONDS = 900;

type Kind = Row<'notification_events', 'organization_id' | 'event'> & Row<'organizations', 'main_account_id'>;
type Waiting = Row<'notification_events', 'id' | 'group_key'>;

/**
 * Write mails about events: one at once for the first event of a kind in an organization, and one for all that follow within a
 * minute, so that a flapping alarm causes few mails. Any number of processes may run it concurrently: events, deliveries and
 * mails are one transaction, under the lock of the kind's throttle window.
 * @returns how many mails were written
 */
export async function notifyEvents(deps: EventMailerDeps): Promise<number> {
  const { database, clock, log } = deps;
  const now = clock.now();
  let mails = 0;
  for (const kind of await findWaiting(database, now)) {
    try {
      mails += await database.write((tx) => notifyKind(tx, deps, kind, now));
    } catch (error) {
      // The others' mails do not wait for it; the next run retries.
      log.warn({ err: error, organization: kind.organization_id, event: kind.event }, 'Failed to write mails about an event.');
    }
  }
  return mails;
}

/** Kinds of events, by organization, whose mails are due. */
async function findWaiting(database: Database, now: Date): Promise<Kind[]> {
  const { rows } = await sql<Kind>`
    select e.organization_id, o.main_account_id, e.event
    from (select distinct organization_id, event from notification_events where notified_at is null) e
    join organizations o on o.id = e.organization_id
    where not exists (select 1 from notification_throttles p
      where p.organization_id = e.organization_id and p.event = e.event and p.until > ${now}::timestamptz)
    limit ${AT_ONCE}`.execute(database.read);
  return rows;
}

async function notifyKind(
  tx: Tx,
  { origin }: EventMailerDeps,
  { event, organization_id, main_account_id }: Kind,
  now: Date,
): Promise<number> {
  const scope: OrganizationScope = { kind: 'organization', mainAccountId: main_account_id, organizationId: organization_id };
  const throttle = await lockThrottle(tx, scope, event, now);
  // Another process was faster.
  if (throttle.until > now) return 0;
  const waiting = await takeWaiting(tx, scope, event, now);
  const { organization, recipients } = await findRecipients(tx, scope, event);
  const addressed = recipients
    .map((recipient) => ({ recipient, events: waiting.filter((one) => concerns(recipient, one)) }))
    .filter(({ events }) => events.length > 0);
  if (addressed.length === 0) return 0;
  const listings = new Map<string, Promise<NotifiedEvent[]>>();
  const mails = [];
  for (const { recipient, events } of addressed) {
    const { language, zone, recipient: name, mail: to } = recipient;
    const key = JSON.stringify(recipient.groupKeys);
    const listing = listings.get(key) ?? readListed(tx, scope, events);
    listings.set(key, listing);
    const reader = { language, zone, recipient: name, organization, origin: origin() };
    const text = eventMail(reader, event, await listing, events.length);
    mails.push({ to, ...text, kind: 'notification' as const, organizationId: organization_id });
  }
  const ids = await enqueueMails(tx, mails, now);
  for (const [index, { recipient, events }] of addressed.entries()) {
    const eventIds = events.map(({ id }) => id);
    await insertDeliveries(tx, scope, eventIds, recipient.mail, ids[index]!);
  }
  await setThrottle(tx, scope, event, nextThrottle(throttle, now));
  return ids.length;
}

/** Mark the oldest events of a kind as sent. */
async function takeWaiting(
  tx: Tx,
  scope: OrganizationScope,
  event: notifications.NotificationEvent,
  now: Date,
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    update notification_events set notified_at = ${now}::timestamptz
    where organization_id = ${scope.organizationId}::uuid and id in (
      select id from notification_events
      where organization_id = ${scope.organizationId}::uuid and event = ${event} and notified_at is null
      order by id limit ${MOST_EVENTS})
    returning id, group_key`.execute(tx);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** An event without a group concerns every recipient. */
function concerns({ groupKeys }: Recipient, { group_key }: Waiting): boolean {
  return groupKeys === null || group_key === null || groupKeys.includes(group_key);
}

async function readListed(tx: Tx, scope: OrganizationScope, events: readonly Waiting[]): Promise<NotifiedEvent[]> {
  const listed = events.slice(0, LISTED).map(({ id }) => id);
  const rows = await tx
    .selectFrom('notification_events')
    .select(['detail', 'times', 'happened_at'])
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', listed)
    .orderBy('id')
    .execute();
  return rows.map(({ detail, times, happened_at }) => ({ detail: detail as unknown as EventDetail, times, happened_at }));
}

/** One minute for a first event; twice the previous window if the events have continued since. */
function nextThrottle({ until, seconds }: Throttle, now: Date): Throttle {
  const goesOn = seconds > 0 && now.getTime() - until.getTime() <= seconds * 1_000;
  const next = goesOn ? Math.min(LONGEST_PAUSE_SECONDS, seconds * 2) : FIRST_PAUSE_SECONDS;
  return { until: new Date(now.getTime() + next * 1_000), seconds: next };
}
