import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import { newId, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** All events except ending subscriptions. */
export type HappeningEvent = (typeof notifications.happenings)[number];

/** The content of an event in a mail. */
export interface EventDetail {
  /** Names of the subjects of the event, the first few of them. */
  readonly what: readonly string[];
  /** How many there are. */
  readonly count: number;
  /** Id of the device or group for the link. */
  readonly id?: string;
  /** E-mail address of the user who did it. */
  readonly by?: string;
}

/** An event, raised in the transaction in which it happened. */
export interface Happening {
  readonly event: HappeningEvent;
  /**
   * The same at every repetition of the same event; without a key it is raised once. No two events raised together have the same
   * key.
   */
  readonly key?: string;
  /** How often it happened; default 1. */
  readonly times?: number;
  /** The group it is about; null for the whole organization. */
  readonly groupKey: string | null;
  readonly detail: EventDetail;
}

/** How many names of one event are stored: a mail does not list a thousand. */
const NAMED = 20;

/** Raise events in an organization. An event with a known key counts as a repetition of it. */
export async function raise(tx: Tx, scope: OrganizationScope, happenings: readonly Happening[], now: Date): Promise<void> {
  if (happenings.length === 0) return;
  const rows = happenings.map(({ event, key, times = 1, groupKey, detail }) => {
    const id = newId(now.getTime());
    return {
      organization_id: scope.organizationId,
      id,
      event,
      key: key ?? id,
      group_key: groupKey,
      detail: detailOf(detail),
      times,
      happened_at: now,
      created_at: now,
    };
  });
  await tx
    .insertInto('notification_events')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'key'])
        .doUpdateSet((set) => ({ times: set('notification_events.times', '+', set.ref('excluded.times')), happened_at: now })),
    )
    .execute();
}

/** Raise an event of the main account in every one of its organizations. */
export async function raiseEverywhere(
  tx: Tx,
  scope: MainScope,
  { event, detail }: Pick<Happening, 'event' | 'detail'>,
  now: Date,
): Promise<void> {
  // The id of an event is unique within its organization.
  const id = newId(now.getTime());
  await sql`
    insert into notification_events (organization_id, id, event, key, detail, happened_at, created_at)
    select o.id, ${id}::uuid, ${event}, ${id}, ${detailOf(detail)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
    from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null`.execute(tx);
}

function detailOf({ what, ...rest }: EventDetail): string {
  return JSON.stringify({ ...rest, what: what.slice(0, NAMED) });
}
