// Reads tables of other domains: account_limits, account_own_roles.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';

/**
 * Accounts of an organization to which Full Control gives something: it is not an admin, who has it of every group, and not without access,
 * and neither an own role nor a limit says what it may change.
 */
export const isUser = (scope: OrganizationScope) => sql<boolean>`(not ${`r.${scope.organizationId}.super`} = any(a.roles)
  and a.roles <> '{}'
  and not exists (select from account_own_roles h where h.account_id = a.id)
  and not exists (select from account_limits l where l.account_id = a.id))`;
