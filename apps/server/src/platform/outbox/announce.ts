import type { live } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../ports/database.ts';
import { noteAnnounced } from './announced.ts';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';

/** Most ids per event; more mean "refetch the whole topic". */
const MAX_IDS = 50;

/**
 * Write an outbox row: once the transaction commits, every console within its scope refetches `topic`. A change inside an
 * organization reaches that organization and its main account.
 */
export async function announce(tx: Tx, scope: Scope, topic: live.LiveTopic, ids: readonly string[]): Promise<void> {
  noteAnnounced(tx);
  await tx
    .insertInto('outbox')
    .values({
      main_account_id: scope.mainAccountId,
      organization_id: scope.kind === 'organization' ? scope.organizationId : null,
      topic,
      ids: ids.length > MAX_IDS ? [] : [...ids],
    })
    .execute();
}

/** The same for a topic in many organizations, in one statement: each refetches the whole topic. */
export async function announceAll(tx: Tx, scopes: readonly OrganizationScope[], topic: live.LiveTopic): Promise<void> {
  if (scopes.length === 0) return;
  noteAnnounced(tx);
  await tx
    .insertInto('outbox')
    .values(
      scopes.map(({ mainAccountId, organizationId }) => ({
        main_account_id: mainAccountId,
        organization_id: organizationId,
        topic,
        ids: [],
      })),
    )
    .execute();
}

/** Write the row of a log that gets entries: of the organization with this id, or of the main account. */
export async function announceLog(tx: Tx, chainId: string): Promise<void> {
  noteAnnounced(tx);
  const topic: live.LiveTopic = 'logs';
  await sql`insert into outbox (main_account_id, organization_id, topic)
    select coalesce(o.main_account_id, c.id), o.id, ${topic}
    from (values (${chainId}::uuid)) c (id) left join organizations o on o.id = c.id`.execute(tx);
}
