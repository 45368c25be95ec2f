import { newId, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { insertAccount } from './accounts.store.ts';
import { MAIN_ROLE } from './colleagues.store.ts';
import { createPasswords } from './password.ts';

export interface AccountToCreate {
  readonly email: string;
  readonly name: string;
  readonly role: 'main' | 'admin' | 'user' | 'none';
  /** Null = the user cannot sign in until a password is set by a link. */
  readonly password: string | null;
  readonly isContact?: boolean;
}

/** Create an account inside the caller's transaction; used by the demo, the command line and tests. @returns its id */
export async function createAccount(tx: Tx, scope: MainScope | OrganizationScope, account: AccountToCreate): Promise<string> {
  const id = newId();
  const organizationId = scope.kind === 'organization' ? scope.organizationId : null;
  await insertAccount(tx, {
    id,
    mainAccountId: scope.mainAccountId,
    organizationId,
    email: account.email.toLowerCase(),
    name: account.name,
    passwordHash: account.password === null ? null : await createPasswords().hash(account.password),
    roles: roleStrings(account.role, organizationId),
    isContact: account.isContact ?? false,
  });
  return id;
}

function roleStrings(role: AccountToCreate['role'], organizationId: string | null): string[] {
  if (role === 'none') return [];
  if (role === 'main') return [MAIN_ROLE];
  return [`r.${organizationId}.${role === 'admin' ? 'super' : 'vendor'}`];
}
