import { accounts, signInPolicy } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallResponse, callFile, type CallQuery, callTagged, ifMatch } from '../../api/client.ts';
import { giveRole } from '../roles/index.ts';
import { ApiError } from '../../api/errors.ts';
import type { Stored } from '../../api/entity-form.ts';
import { type Page, pageOf } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

/** As an answer to a save shows them. */
export type User = accounts.Account;
/** As the list shows them. */
export type Person = accounts.ListedPerson;
/** A user as its page shows it. */
export type UserDetails = CallResponse<typeof accounts.getAccount>['result'];
/** With the tag that a save must be based on. */
export interface TaggedUser {
  readonly user: UserDetails;
  readonly etag: string | undefined;
}
export type UserRole = 'admin' | 'user';
/** A role to choose: one of every organization, or the id of an own role. */
export type ChosenRole = string;

export const isUserRole = (role: ChosenRole): role is UserRole => role === 'admin' || role === 'user';
/** The role of every organization that someone with a role has besides. */
const standardRole = (role: ChosenRole): UserRole => (role === 'admin' ? 'admin' : 'user');

export const roleOf = (user: User): UserRole => (user.role === 'super' ? 'admin' : 'user');

/** A role of an organization as it travels (AUTH-07). */
export const roleString = (org: string, role: UserRole) => `r.${org}.${role === 'admin' ? 'super' : 'vendor'}`;

/** One page of the cloud users. */
export async function fetchUsers(query: CallQuery<typeof accounts.listAccounts>, signal: AbortSignal): Promise<Page<Person>> {
  return pageOf(await call(accounts.listAccounts, { query, signal }));
}

/** The same list as CSV (SHR-08). */
export function fetchUsersFile(query: CallQuery<typeof accounts.exportAccounts>): Promise<Blob> {
  return callFile(accounts.exportAccounts, { query });
}

/** One account; null if it does not exist or is not visible. */
export const userQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }): Promise<TaggedUser | null> => {
      try {
        const { response, etag } = await callTagged(accounts.getAccount, { params: { id: id ?? '' }, signal });
        return { user: response.result, etag };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: id !== undefined,
    meta: { topics: ['accounts'] },
  });

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly role: ChosenRole;
}

/** Create a user of an organization, who receives an email to set a password. */
export async function addUser(org: string, { name, email, role }: NewUser, language: Language): Promise<User> {
  const body = { name, email, role: roleString(org, standardRole(role)), language };
  return (await call(accounts.createAccount, { body })).result;
}

/** The values of a user's form. */
export interface UserValues {
  readonly name: string;
  readonly role: ChosenRole;
}

/**
 * Save changes of a user's name and role.
 * @param onRenamed called with what is stored once the name is saved: the role may still be rejected
 * @throws ApiError `conflict.stale` when another user saved in the meantime
 */
export async function saveUser(
  { id, vendor }: User,
  org: string,
  base: Stored<UserValues>,
  change: UserValues,
  onRenamed: (saved: Stored<UserValues>) => void,
): Promise<void> {
  let tag = base.etag;
  if (change.name !== base.values.name) {
    const input = { params: { id }, body: { vendor, name: change.name } };
    tag = (await callTagged(accounts.editAccount, { ...input, ...ifMatch(tag) })).etag;
    onRenamed({ values: { ...base.values, name: change.name }, etag: tag });
  }
  if (change.role === base.values.role) return;
  // With an own role an admin becomes a user.
  if (!isUserRole(change.role)) return giveRole(id, change.role);
  const original = roleString(org, standardRole(base.values.role));
  const target = roleString(org, change.role);
  if (original !== target) await call(accounts.changeRole, { body: { id, original, target, vendor }, ...ifMatch(tag) });
  else await giveRole(id, null);
}

/** The sign-in page, opened to change a password (USR-03). */
export async function passwordPage(email: string): Promise<string> {
  const { data } = await call(accounts.loginFrame, {});
  return `${data}?change=${encodeURIComponent(email)}`;
}

/** A user that could not be deleted, and why. */
export interface Rejection {
  readonly email: string;
  readonly error: unknown;
}

/** The users that could not be deleted, in one error (USR-04). */
export class DeletionError extends Error {
  readonly rejections: readonly Rejection[];

  constructor(rejections: readonly Rejection[]) {
    super('Some users could not be deleted.');
    this.name = 'DeletionError';
    this.rejections = rejections;
  }
}

/** True when the call named a user that no longer exists: 'Invalid parameter' to the user (USR-04). */
export function namesNoUser(error: unknown): boolean {
  return error instanceof ApiError && (error.key === 'account.not_found' || error.key === 'request.invalid');
}

/** Delete users one by one; a failure does not stop the others. @throws DeletionError */
export async function deleteUsers(users: readonly User[]): Promise<void> {
  const rejections: Rejection[] = [];
  for (const { id, email, vendor } of users) {
    try {
      // One after another, so that the last admin is a person one can name.
      await call(accounts.deleteAccount, { params: { id }, query: { vendor } });
    } catch (error) {
      rejections.push({ email, error });
    }
  }
  if (rejections.length > 0) throw new DeletionError(rejections);
}

/** What a user is limited to; null = nothing. */
export async function saveLimit(id: string, limitedTo: accounts.LimitInput | null, etag: string | undefined): Promise<void> {
  await call(accounts.savePersonLimit, { params: { id }, body: { limitedTo }, ...ifMatch(etag) });
}

export type OwnSession = accounts.OwnSession;

/** The user's own sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await call(accounts.listSessions, { signal })).result.list,
  meta: { topics: ['accounts'] },
});

export async function endSession(session: string): Promise<void> {
  await call(accounts.endSession, { params: { session } });
}

/** End every session of the account, this one too (AUTH-08). */
export async function endAllSessions(): Promise<void> {
  await call(accounts.signOutEverywhere, {});
}

/** The sessions of a colleague. */
export const sessionsOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['sessions', 'of', id],
    queryFn: async ({ signal }) => (await call(signInPolicy.listSessionsOf, { params: { id }, signal })).result.list,
    meta: { topics: ['accounts'] },
  });

/** End a session of a colleague. @param session its id, or 'all' */
export async function endSessionOf(id: string, session: string): Promise<void> {
  await call(signInPolicy.endSessionOf, { params: { id, session } });
}
