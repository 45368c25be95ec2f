import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

type Event = notifications.NotificationEvent;

/** Until when events of a kind are collected, and the length of that window. */
export interface Throttle {
  readonly until: Date;
  readonly seconds: number;
}

/** The throttle window of a kind of events, locked until the transaction ends. */
export async function lockThrottle(tx: Tx, scope: OrganizationScope, event: Event, now: Date): Promise<Throttle> {
  const own = { organization_id: scope.organizationId, event };
  await tx
    .insertInto('notification_throttles')
    .values({ ...own, until: now, seconds: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('notification_throttles')
    .select(['until', 'seconds'])
    .where('organization_id', '=', own.organization_id)
    .where('event', '=', event)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Set until when mails of this kind of event wait, so that later events come in one mail. */
export async function setThrottle(tx: Tx, scope: OrganizationScope, event: Event, throttle: Throttle): Promise<void> {
  await tx
    .updateTable('notification_throttles')
    .set(throttle)
    .where('organization_id', '=', scope.organizationId)
    .where('event', '=', event)
    .execute();
}

/** Record which mail contains which events of a recipient. Fails, and writes nothing, if a recipient already has one of them. */
export async function insertDeliveries(
  tx: Tx,
  scope: OrganizationScope,
  eventIds: readonly string[],
  mail: string,
  mailId: string,
): Promise<void> {
  await sql`insert into notification_deliveries (organization_id, event_id, mail, mail_id)
    select ${scope.organizationId}::uuid, event_id, ${mail}, ${mailId}::uuid
    from unnest(${[...eventIds]}::uuid[]) as event_id`.execute(tx);
}

/** Longer than a month: that a month's mail was sent must be known until the month is over. */
const KEPT_MS = 40 * 86_400_000;
const DAY_MS = 86_400_000;

/** Delete events and their deliveries after forty days, and throttle windows that have ended (retention). */
export async function purgeEvents(database: Database, now: Date): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .deleteFrom('notification_events')
      .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
      .execute();
    await tx
      .deleteFrom('notification_throttles')
      .where('until', '<', new Date(now.getTime() - DAY_MS))
      .execute();
  });
}
