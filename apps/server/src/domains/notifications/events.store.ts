import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import type { Tx } from '../../ports/database.ts';
import type { MainScope, OrganizationScope } from '../../scope.ts';

/** What else than an ending subscription people are told of. */
export type HappeningEvent = (typeof notifications.happenings)[number];

/** What a mail says of an event. */
export interface EventDetail {
  /** Names of what it happened to, the first few of them. */
  readonly what: readonly string[];
  /** How many there are. */
  readonly count: number;
  /** Where the console shows it: a device, a group. */
  readonly id?: string;
  /** E-mail address of who did it. */
  readonly by?: string;
}

/** Something that happened, told in the transaction in which it did. */
export interface Happening {
  readonly event: HappeningEvent;
  /** The same at every telling of the same; left out, it is told but once. Of those raised together no two have the same. */
  readonly key?: string;
  /** It happened so often; once where nothing is said. */
  readonly times?: number;
  /** The group it concerns; null for what concerns the whole organization. */
  readonly groupKey: string | null;
  readonly detail: EventDetail;
}

/** Names kept of one event: a mail does not list a thousand. */
const NAMED = 20;

/** Raise what happened in an organization. What has a key that was told before counts as the same happening once more. */
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

/** Raise in every organization of a main account what happened in the main account. */
export async function raiseEverywhere(
  tx: Tx,
  scope: MainScope,
  { event, detail }: Pick<Happening, 'event' | 'detail'>,
  now: Date,
): Promise<void> {
  // The id of an event is its organization's: together they name it.
  const id = newId(now.getTime());
  await sql`
    insert into notification_events (organization_id, id, event, key, detail, happened_at, created_at)
    select o.id, ${id}::uuid, ${event}, ${id}, ${detailOf(detail)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
    from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null`.execute(tx);
}

function detailOf({ what, ...rest }: EventDetail): string {
  return JSON.stringify({ ...rest, what: what.slice(0, NAMED) });
}
