import { notifications } from '@highline/contract';
import { sql } from 'kysely';
import { daysOf, utcDay, newId, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { enqueueMails } from '../mails/index.ts';
import { expiryMail, type EndingDevice } from './notification.mail.ts';
import { recipientColumns, type Recipient } from './recipients.queries.ts';
import { accountOf, counts } from './recipient-list.queries.ts';
import type { EventMailerDeps } from './event-mailer.ts';
import type { Row } from '../../platform/ports/tables.ts';

const spans = {
  TODAY_NOTIFY_SUBSCRIPTION: 'today',
  WEEK_NOTIFY_SUBSCRIPTION: 'week',
  MONTH_NOTIFY_SUBSCRIPTION: 'month',
} as const satisfies Record<notifications.ExpiryEvent, string>;

/** Recipients looked up at once. */
const BATCH = 200;
/** Devices that a mail lists. */
const LISTED = 50;

/** A day, week or month of UTC; each recipient gets one mail for it. */
interface Period {
  readonly event: notifications.ExpiryEvent;
  /** Identifies the period, the same throughout it. */
  readonly key: string;
  /** ISO days: subscriptions that end between them and have not ended yet. */
  readonly from: string;
  readonly to: string;
}

type Candidate = Recipient &
  Row<'notification_subscriptions', 'organization_id'> &
  Row<'organizations', 'main_account_id'> & { readonly organization: string };

/**
 * Write mails about subscriptions that end today, this week (Sunday to Saturday) and this month, by the days of UTC: one mail per
 * recipient and period, as soon as there is a device to list. A recipient added within a period gets the rest of it.
 * @returns how many mails were written
 */
export async function notifyExpiries(deps: EventMailerDeps): Promise<number> {
  const now = deps.clock.now();
  let mails = 0;
  for (const event of notifications.expiryEvents) mails += await notifyPeriod(deps, periodOf(event, now), now);
  return mails;
}

function periodOf(event: notifications.ExpiryEvent, now: Date): Period {
  const days = daysOf(spans[event], 'UTC', now);
  return { event, key: `${event} ${days.from}`, from: utcDay(now), to: days.to };
}

async function notifyPeriod(deps: EventMailerDeps, period: Period, now: Date): Promise<number> {
  const { database, log } = deps;
  let mails = 0;
  let last: Candidate | undefined;
  for (;;) {
    const candidates = await findCandidates(deps, period, last);
    for (const candidate of candidates) {
      try {
        mails += await database.write((tx) => notifyOne(tx, deps, period, candidate, now));
      } catch (error) {
        log.warn({ err: error, organization: candidate.organization_id }, 'Failed to write a mail about ending subscriptions.');
      }
    }
    last = candidates.at(-1);
    if (last === undefined || candidates.length < BATCH) return mails;
  }
}

/** Recipients of a period that have no mail for it yet and have devices to list. */
async function findCandidates(
  { database }: EventMailerDeps,
  { event, key, from, to }: Period,
  after: Candidate | undefined,
): Promise<Candidate[]> {
  const rest =
    after === undefined ? sql`` : sql`and (s.organization_id, s.mail) > (${after.organization_id}::uuid, ${after.mail}::text)`;
  const { rows } = await sql<Candidate>`
    select ${recipientColumns}, s.organization_id, o.main_account_id, o.name as organization
    from notification_subscriptions s join organizations o on o.id = s.organization_id ${accountOf}
    where ${event} = any(s.events) and o.deleted_at is null and ${counts} ${rest}
      and not exists (select 1 from notification_events e
        join notification_deliveries n on n.organization_id = e.organization_id and n.event_id = e.id
        where e.organization_id = s.organization_id and e.key = ${key} and n.mail = s.mail)
      and exists (select 1 from devices d
        where d.organization_id = s.organization_id and d.archived_at is null and d.expires_on between ${from}::date and ${to}::date
          and (s.group_keys is null or d.group_key = any(s.group_keys)))
    order by s.organization_id, s.mail limit ${BATCH}`.execute(database.read);
  return rows;
}

async function notifyOne(tx: Tx, deps: EventMailerDeps, period: Period, candidate: Candidate, now: Date): Promise<number> {
  const { language, zone, recipient, organization, organization_id: organizationId, mail: to } = candidate;
  const scope: OrganizationScope = { kind: 'organization', mainAccountId: candidate.main_account_id, organizationId };
  const { devices, total } = await findEnding(tx, scope, period, candidate.groupKeys);
  const mailId = total === 0 ? undefined : await claimDelivery(tx, scope, period, to, now);
  // Another process was faster, or no device is left to list.
  if (mailId === undefined) return 0;
  const text = expiryMail({ language, zone, recipient, organization, origin: deps.origin() }, period.event, devices, total);
  await enqueueMails(tx, [{ to, ...text, kind: 'notification', organizationId, id: mailId }], now);
  return 1;
}

/** @returns the id for the mail, or undefined when the recipient already has one */
async function claimDelivery(
  tx: Tx,
  scope: OrganizationScope,
  { event, key }: Period,
  mail: string,
  now: Date,
): Promise<string | undefined> {
  const organization_id = scope.organizationId;
  await tx
    .insertInto('notification_events')
    .values({
      organization_id,
      id: newId(now.getTime()),
      event,
      key,
      group_key: null,
      happened_at: now,
      created_at: now,
      notified_at: now,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doNothing())
    .execute();
  const mailId = newId(now.getTime());
  const { rows } = await sql`
    insert into notification_deliveries (organization_id, event_id, mail, mail_id)
    select e.organization_id, e.id, ${mail}, ${mailId}::uuid from notification_events e
    where e.organization_id = ${organization_id}::uuid and e.key = ${key}
    on conflict do nothing returning 1`.execute(tx);
  return rows.length === 0 ? undefined : mailId;
}

async function findEnding(
  tx: Tx,
  scope: OrganizationScope,
  { from, to }: Period,
  groupKeys: readonly string[] | null,
): Promise<{ readonly devices: readonly EndingDevice[]; readonly total: number }> {
  const inGroups = groupKeys === null ? sql`` : sql`and d.group_key = any(${[...groupKeys]}::text[])`;
  const { rows } = await sql<EndingDevice & { total: number }>`
    select d.serial, d.vehicle_number, d.expires_on, count(*) over ()::int as total from devices d
    where d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null
      and d.expires_on between ${from}::date and ${to}::date ${inGroups}
    order by d.expires_on, d.serial, d.id limit ${LISTED}`.execute(tx);
  return { devices: rows, total: rows[0]?.total ?? 0 };
}
