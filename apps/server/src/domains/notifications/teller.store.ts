import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';

type Event = notifications.NotificationEvent;

/** Until when events of a kind are collected, and for how long they were. */
export interface Pause {
  readonly until: Date;
  readonly seconds: number;
}

/** The pause of a kind of events, which nobody else looks at until the transaction ends. */
export async function holdPause(tx: Tx, scope: OrganizationScope, event: Event, now: Date): Promise<Pause> {
  const own = { organization_id: scope.organizationId, event };
  await tx
    .insertInto('notification_pauses')
    .values({ ...own, until: now, seconds: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('notification_pauses')
    .select(['until', 'seconds'])
    .where('organization_id', '=', own.organization_id)
    .where('event', '=', event)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Until when mails of this kind of event wait, so that what follows comes in one. */
export async function setPause(tx: Tx, scope: OrganizationScope, event: Event, pause: Pause): Promise<void> {
  await tx
    .updateTable('notification_pauses')
    .set(pause)
    .where('organization_id', '=', scope.organizationId)
    .where('event', '=', event)
    .execute();
}

/** Note by which mail somebody is told of events. Fails, and nothing is written, where that person was told of one already. */
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

/** Longer than a month: that a month's mail was sent is known until the month is over. */
const KEPT_MS = 40 * 86_400_000;
const DAY_MS = 86_400_000;

/** Events and who was told of them, after forty days; pauses that are over (retention). */
export async function purgeEvents(database: Database, now: Date): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .deleteFrom('notification_events')
      .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
      .execute();
    await tx
      .deleteFrom('notification_pauses')
      .where('until', '<', new Date(now.getTime() - DAY_MS))
      .execute();
  });
}
