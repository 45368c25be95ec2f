import { sql, type Selectable } from 'kysely';
import { natural } from '../../platform/listing/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import type { Queries, Tx, Tables } from '../../platform/ports/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

export type CommandRow = Pick<Selectable<Tables['custom_commands']>, 'id' | 'name' | 'kind' | 'argument' | 'is_pinned'>;
/** The user-editable fields of a command. */
export type CommandChange = Partial<Pick<CommandRow, 'name' | 'argument' | 'is_pinned'>>;

const columns = ['id', 'name', 'kind', 'argument', 'is_pinned'] as const;

/** An organization's commands by name; the service limits their number. */
export async function selectCommands(queries: Queries, scope: OrganizationScope): Promise<CommandRow[]> {
  return queries
    .selectFrom('custom_commands')
    .select(columns)
    .where('organization_id', '=', scope.organizationId)
    .orderBy(natural(sql`name`))
    .execute();
}

/** A command of the organization, or undefined. */
export async function findCommand(queries: Queries, scope: OrganizationScope, id: string): Promise<CommandRow | undefined> {
  return (await selectCommands(queries, scope)).find((command) => command.id === id);
}

/** The same, locked until the transaction ends. */
export async function lockCommands(tx: Tx, scope: OrganizationScope): Promise<CommandRow[]> {
  await lockOrganizationForNoKeyUpdate(tx, scope);
  return selectCommands(tx, scope);
}

/** Insert a new command; the caller has locked the others (`lockCommands`). */
export async function insertCommand(tx: Tx, scope: OrganizationScope, command: CommandRow, now: Date): Promise<void> {
  await tx
    .insertInto('custom_commands')
    .values({ organization_id: scope.organizationId, ...command, created_at: now })
    .execute();
}

/** Change a command of the organization, if it still exists. */
export async function updateCommand(tx: Tx, scope: OrganizationScope, id: string, change: CommandChange): Promise<void> {
  await tx
    .updateTable('custom_commands')
    .set(change)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Delete a command of the organization, with its pins. */
export async function removeCommand(tx: Tx, scope: OrganizationScope, id: string): Promise<void> {
  await tx.deleteFrom('custom_commands').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}
