import { sql } from 'kysely';
import { DomainError, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { Row } from '../../platform/ports/tables.ts';

/**
 * Which of these are living organizations of the scope's main account, locked (FOR KEY SHARE): none of them is deleted before the
 * transaction ends, and a deletion that waited finds what was added.
 */
export async function lockOrganizationsForKeyShare(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('organizations')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Lock the organization that is about to receive devices (FOR KEY SHARE). @throws DomainError `not_found` if it was deleted
 * meanwhile
 */
export async function lockOrganizationForKeyShare(tx: Tx, scope: OrganizationScope): Promise<void> {
  if ((await lockOrganizationsForKeyShare(tx, scope, [scope.organizationId])).size === 0)
    throw new DomainError('not_found', { field: 'org' });
}

/** The organizations whose living devices have these routers. Routers in stock have none. */
export async function organizationsOfRouters(tx: Tx, routerIds: readonly string[]): Promise<OrganizationScope[]> {
  const { rows } = await sql<Row<'devices', 'main_account_id' | 'organization_id'>>`${plannedOnce}
    select distinct main_account_id, organization_id from devices
    where router_id = any (${[...routerIds]}::uuid[]) and archived_at is null`.execute(tx);
  return rows.map((row) => ({
    kind: 'organization',
    mainAccountId: row.main_account_id,
    organizationId: row.organization_id,
  }));
}
