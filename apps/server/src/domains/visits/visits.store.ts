import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Tables } from '../../platform/ports/tables.ts';
import type { Insertable } from 'kysely';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'visits.kind': 'support' | 'guest';
    'visits.role': 'admin' | 'user';
  }
}

/** Visits of an organization are changed one after another, until the transaction ends. */
export async function lockVisits(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`visits of ${organizationId}`}, 0))`.execute(tx);
}

type NewVisit = Omit<Insertable<Tables['visits']>, 'main_account_id' | 'organization_id'>;

export async function insertVisit(tx: Tx, { mainAccountId, organizationId }: OrganizationScope, visit: NewVisit): Promise<void> {
  await tx
    .insertInto('visits')
    .values({ ...visit, main_account_id: mainAccountId, organization_id: organizationId })
    .execute();
}

/** End the open support of an organization, before another one begins. */
export async function endSupport(tx: Tx, { organizationId }: OrganizationScope, by: string, now: Date): Promise<void> {
  await tx
    .updateTable('visits')
    .set({ ended_at: now, ended_by_email: by })
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'support')
    .where('ended_at', 'is', null)
    .execute();
}

/** End a visit. @returns whether it was open */
export async function endVisitRow(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  by: string | null,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('visits')
    .set({ ended_at: now, ended_by_email: by })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}
