import type { Selectable } from 'kysely';
import { lockOrganizationForNoKeyUpdate } from '../../row-locks.ts';
import type { Queries, Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Tables } from '../../tables.ts';

export type CommandRow = Pick<Selectable<Tables['custom_commands']>, 'id' | 'name' | 'kind' | 'argument' | 'is_pinned'>;
/** What a person may change of a command. */
export type CommandChange = Partial<Pick<CommandRow, 'name' | 'argument' | 'is_pinned'>>;

const columns = ['id', 'name', 'kind', 'argument', 'is_pinned'] as const;

/** An organization's commands by name; there are never more than the service lets in. */
export async function selectCommands(queries: Queries, scope: OrganizationScope): Promise<CommandRow[]> {
  return queries
    .selectFrom('custom_commands')
    .select(columns)
    .where('organization_id', '=', scope.organizationId)
    .orderBy('name')
    .execute();
}

/** The same while nobody else changes them, until the transaction ends. */
export async function holdCommands(tx: Tx, scope: OrganizationScope): Promise<CommandRow[]> {
  await lockOrganizationForNoKeyUpdate(tx, scope);
  return selectCommands(tx, scope);
}

/** Keep a new command; whoever calls holds the others (`holdCommands`). */
export async function insertCommand(tx: Tx, scope: OrganizationScope, command: CommandRow, now: Date): Promise<void> {
  await tx
    .insertInto('custom_commands')
    .values({ organization_id: scope.organizationId, ...command, created_at: now })
    .execute();
}

/** Change a command of the organization; one that is gone stays gone. */
export async function updateCommand(tx: Tx, scope: OrganizationScope, id: string, change: CommandChange): Promise<void> {
  await tx
    .updateTable('custom_commands')
    .set(change)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Remove a command of the organization, wherever it is pinned. */
export async function removeCommand(tx: Tx, scope: OrganizationScope, id: string): Promise<void> {
  await tx.deleteFrom('custom_commands').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

/** Remove the commands of an organization that is being purged. */
export async function purgeCommandsOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('custom_commands').where('organization_id', '=', organizationId).execute();
}
