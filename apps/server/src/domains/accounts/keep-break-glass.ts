import { DomainError, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findLastException } from './company-sign-in.queries.ts';

/**
 * A company that requires a provider, or networks, keeps an admin who can sign in without them.
 * @throws DomainError `account.last_break_glass`, `account.last_excepted` when this is the last one
 */
export async function keepBreakGlass(
  tx: Tx,
  company: MainScope | OrganizationScope,
  account: { readonly id: string },
): Promise<void> {
  const reason = await findLastException(tx, company, account);
  if (reason !== undefined) throw new DomainError(reason);
}
