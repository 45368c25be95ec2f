import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Fragment } from '../listing/index.ts';

/** The condition of organizations that a scope covers. @param alias of the rows of organizations */
export const organizationsOf = (scope: Scope, alias = 'o'): Fragment =>
  scope.kind === 'organization'
    ? sql`${sql.ref(`${alias}.id`)} = ${scope.organizationId}::uuid`
    : sql`${sql.ref(`${alias}.main_account_id`)} = ${scope.mainAccountId}::uuid`;
