import type { accounts } from '@highline/contract';
import { DomainError, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence, type AuditAction } from '../logs/index.ts';
import { personOf, recordOwn } from './account.audit.ts';
import { findByEmail, isLastAdmin, lockAdmins, lockById, noteSignIn, type AccountRow } from './accounts.store.ts';
import { lockMainAccount, MAIN_ROLE } from './colleagues.store.ts';
import { findLastException } from './company-sign-in.queries.ts';
import { endBrowsersWithoutSession } from './every-session.ts';
import type { Caller } from './forgotten-password.ts';
import { takeIn } from './invitation.ts';
import { putLimit } from './limits.service.ts';
import { changeEmail } from './mail-lists.ts';
import { hashSecret, newSecret } from './secret.ts';
import { deleteSessions, insertSession } from './sessions.store.ts';
import { checkAddress } from './sign-in-policy.ts';
import { roleOf } from './standing.ts';
import { exchangeRole } from './users.service.ts';
import { listHosts } from './visits.queries.ts';

type Company = MainScope | OrganizationScope;

/** A person whom the identity provider of a company has signed in. */
export interface ProvidedPerson {
  /** In lower case, and of a domain that is confirmed for the provider; undefined if the provider does not say so. */
  readonly email: string | undefined;
  readonly name: string;
  /** By the provider's rules; undefined = they say nothing, and a person who is new gets `defaultRole`. */
  readonly role: 'admin' | 'user' | 'none' | undefined;
  readonly defaultRole: 'admin' | 'user' | 'none';
  /** What the person sees by the provider's rules: null = everything; undefined = they say nothing. */
  readonly limit: accounts.LimitInput | null | undefined;
  /** The provider's own name for this person is known as this account. */
  readonly accountId: string | undefined;
  /** Addresses whose role does not follow the provider. */
  readonly breakGlass: readonly string[];
  /** Name of the provider, for the log. */
  readonly by: string;
}

/**
 * The account of a person whom a provider has signed in, within the provider's company only: the one that it is known as, the one
 * with the address, or a new one (IAM-01). Address, role and limit follow the provider, of guests the address alone. The company is locked before (`lockCompany`).
 * @throws DomainError `provider.email_unverified`, `provider.not_admitted`, `provider.no_role`
 */
export async function admitPerson(
  tx: Tx,
  company: Company,
  person: ProvidedPerson,
  caller: Caller,
  now: Date,
): Promise<AccountRow> {
  const found = await findPerson(tx, company, person);
  if (found === undefined || !isOf(found, company)) {
    const taken = await takePerson(tx, company, person, caller, now);
    await followLimit(tx, company, taken, person, caller, now);
    return taken;
  }
  const isExcepted = person.breakGlass.includes(found.email);
  if (person.role === 'none' && !isExcepted) throw new DomainError('provider.no_role');
  const named = isExcepted ? found : await followAddress(tx, company, found, person, caller, now);
  if (isExcepted || (await isGuestOf(tx, company, named))) return named;
  const account = await followRole(tx, company, named, person, caller, now);
  await followLimit(tx, company, account, person, caller, now);
  return account;
}

/**
 * Begin a session of an account in the name of a provider.
 * @returns its bearer, and the hash that it is stored under
 * @throws DomainError `provider.no_role`, `account.address_not_allowed`
 */
export async function beginSession(
  tx: Tx,
  account: AccountRow,
  by: string,
  caller: Caller,
  now: Date,
): Promise<{ readonly vap: string; readonly bearerHash: Buffer }> {
  if (roleOf(account) === undefined) throw new DomainError('provider.no_role');
  await checkAddress(tx, account, caller.address);
  const vap = newSecret();
  const bearerHash = hashSecret(vap);
  await noteSignIn(tx, account.id, account.password_hash, now);
  await insertSession(tx, { bearerHash, accountId: account.id, ...caller, method: 'provider' }, now);
  await recordOwn(tx, personOf(account, caller.address), sentence('session.signed_in_by', by), { provider: by }, now);
  return { vap, bearerHash };
}

/** End sessions in the name of a provider; what depends on them ends with the commit. @returns their number */
export async function endSessionsBy(
  tx: Tx,
  company: Company,
  bearerHashes: readonly Buffer[],
  { by, address }: { readonly by: string; readonly address: string },
  now: Date,
): Promise<number> {
  const ended = await deleteSessions(tx, company, bearerHashes);
  const sessionsOf = Map.groupBy(ended, ({ account_id: account }) => account);
  await endBrowsersWithoutSession(tx, company, [...sessionsOf.keys()], now);
  for (const [id, sessions] of sessionsOf) {
    const account = await lockById(tx, company, id);
    if (account === undefined) continue;
    const detail = { provider: by, sessions: sessions.length };
    await recordOwn(tx, personOf(account, address), sentence('session.ended_by', by), detail, now);
  }
  return ended.length;
}

/** Lock a company before its provider and its people. @throws DomainError `provider.not_admitted` if it is gone */
export async function lockCompany(tx: Tx, company: Company): Promise<void> {
  if (company.kind === 'main') await lockMainAccount(tx, company);
  else if (!(await lockAdmins(tx, company))) throw new DomainError('provider.not_admitted');
}

async function findPerson(tx: Tx, company: Company, { accountId, email }: ProvidedPerson): Promise<AccountRow | undefined> {
  if (accountId !== undefined) return lockById(tx, company, accountId);
  const { id } = (email === undefined ? undefined : await findByEmail(tx, email)) ?? {};
  return id === undefined ? undefined : lockById(tx, company, id);
}

const isOf = ({ main_account_id: main, organization_id: organization, roles }: AccountRow, company: Company): boolean =>
  main === company.mainAccountId &&
  (company.kind === 'organization'
    ? organization === company.organizationId
    : organization === null && roles.includes(MAIN_ROLE));

/** Whether an account is in its company as a guest: role and limit are those of the visit (IAM-05). */
const isGuestOf = async (tx: Tx, company: Company, { id }: AccountRow): Promise<boolean> =>
  company.kind === 'organization' &&
  (await listHosts(tx, company, id)).some(({ organizationId }) => organizationId === company.organizationId);

/** A new account, or one of the main account without organization. An address of any other company is not admitted. */
async function takePerson(tx: Tx, company: Company, person: ProvidedPerson, caller: Caller, now: Date): Promise<AccountRow> {
  const { email, name, by, role = person.defaultRole, accountId } = person;
  if (accountId !== undefined) throw new DomainError('provider.not_admitted');
  if (email === undefined) throw new DomainError('provider.email_unverified');
  if (role === 'none') throw new DomainError('provider.no_role');
  const organizationId = company.kind === 'organization' ? company.organizationId : null;
  const membership = { organizationId, roles: [roleString(company, role)], name, isContact: false };
  const taken = await takeIn(tx, company, email, membership, now).catch((error: unknown) => {
    throw error instanceof DomainError && error.key === 'account.exists' ? new DomainError('provider.not_admitted') : error;
  });
  await record(tx, company, taken, caller, sentence('account.created_by', email, by), { name, role }, now);
  return taken;
}

/** The address that the provider gives an account it knows. It stays as it was if the new one is taken, or no one else is excepted from a rule. */
async function followAddress(
  tx: Tx,
  company: Company,
  account: AccountRow,
  { email, by }: ProvidedPerson,
  caller: Caller,
  now: Date,
): Promise<AccountRow> {
  if (email === undefined || email === account.email || (await findByEmail(tx, email)) !== undefined) return account;
  if ((await findLastException(tx, company, account)) !== undefined) return account;
  const changed = await changeEmail(tx, account, email, now);
  await recordOwn(tx, personOf(changed, caller.address), sentence('account.email_changed_by', account.email, email, by), {}, now);
  return changed;
}

/** The role by the rules; the last admin stays one, and the last who can sign in from any network. */
async function followRole(
  tx: Tx,
  company: Company,
  account: AccountRow,
  { role, by }: ProvidedPerson,
  caller: Caller,
  now: Date,
): Promise<AccountRow> {
  if (role === undefined || role === 'none' || company.kind === 'main' || roleOf(account) === role) return account;
  if (role === 'user' && (await mustStayAdmin(tx, company, account))) return account;
  const change = { original: roleString(company, role === 'admin' ? 'user' : 'admin'), target: roleString(company, role) };
  const { row, detail } = await exchangeRole(tx, { member: account, scope: company }, change, role, now);
  await record(tx, company, row, caller, sentence('account.role_changed_by', account.email, by, { terms: [role] }), detail, now);
  return row;
}

/** What the person sees by the rules, which may name groups that are gone; an admin who must stay one sees everything. */
async function followLimit(
  tx: Tx,
  company: Company,
  account: AccountRow,
  { limit, by }: ProvidedPerson,
  caller: Caller,
  now: Date,
): Promise<void> {
  if (limit === undefined || company.kind === 'main') return;
  if (limit !== null && (await mustStayAdmin(tx, company, account))) return;
  const { isChanged, detail } = await putLimit(tx, company, account, limit, now);
  if (!isChanged) return;
  const action = sentence('account.limited_by', account.email, by);
  await record(tx, company, account, caller, action, detail, now);
}

async function mustStayAdmin(tx: Tx, company: OrganizationScope, account: AccountRow): Promise<boolean> {
  return (await isLastAdmin(tx, company, account.id)) || (await findLastException(tx, company, account)) !== undefined;
}

const roleString = (company: Company, role: 'admin' | 'user'): string =>
  company.kind === 'main' ? MAIN_ROLE : `r.${company.organizationId}.${role === 'admin' ? 'super' : 'vendor'}`;

async function record(
  tx: Tx,
  company: Company,
  account: AccountRow,
  { address }: Caller,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, company, 'accounts', [account.id]);
  const chain = company.kind === 'organization' ? company.organizationId : company.mainAccountId;
  const event = { action, subject: { kind: 'account', id: account.id }, detail };
  await recordAudit(tx, chain, personOf(account, address), event, now);
}
