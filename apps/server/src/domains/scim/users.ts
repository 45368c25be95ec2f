import { isEmail } from '@highline/contract';
import { isId } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import {
  addPerson,
  countTry,
  deletePerson,
  describePerson,
  limits,
  lockPerson,
  mailAddressChange,
  recordProvisioned,
  type AccountRow,
} from '../accounts/index.ts';
import { sentence } from '../logs/index.ts';
import { changeInName, checkMayLose, reconcileRoles, type Directory, type DirectoryDeps } from './directory.ts';
import { ScimFailure } from './failure.ts';
import { applyPatch } from './patch.ts';
import { listPeople, whoseIdIs, whoseNameIs, type PersonRow } from './people.queries.ts';
import { keepPerson } from './people.store.ts';
import { readDocument, type Document } from './resource.ts';
import { userType } from './schemas.ts';
import { isRecord } from './stored-values.ts';
import { defaultEmails, versionOf } from './user-documents.ts';
import { checkContent, factsOf } from './user-facts.ts';

/** A change of one resource, and whether its version is the one that the client expects (If-Match). */
export interface Change {
  readonly body: Readonly<Record<string, unknown>>;
  readonly isCurrent: (version: string) => boolean;
}

/** What a client may change of it, without the addresses that no one wrote. */
function toDocument(row: PersonRow): Document {
  return {
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name ?? row.email,
    active: row.is_active ?? true,
    ...(row.content ?? { displayName: row.name }),
    // A name that was changed here since, unless it follows from the parts.
    ...(row.content?.['displayName'] === undefined ? {} : { displayName: row.name }),
  };
}

/** @throws ScimFailure 404, also for a person of another organization */
export async function getUser({ database }: DirectoryDeps, { scope }: Directory, id: string): Promise<PersonRow> {
  const [row] = isId(id) ? await listPeople(database.read, scope, { where: whoseIdIs(id), limit: 1 }) : [];
  if (row === undefined) throw missing();
  return row;
}

const missing = () => new ScimFailure(404, 'There is no such person.');

/** Add a person. @returns its id @throws ScimFailure `uniqueness`, `invalidValue` */
export async function createUser(
  deps: DirectoryDeps,
  directory: Directory,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { scope, actor } = directory;
  const facts = factsOf(readDocument(userType, body), true);
  checkContent(facts.content, null);
  await countTry(deps.database, limits.directoryPeople, scope.organizationId, deps.clock.now());
  return changeInName(deps, directory, async (tx, now) => {
    const [taken] = await listPeople(tx, scope, { where: whoseNameIs(facts.userName), limit: 1 });
    if (taken !== undefined) throw uniqueness();
    // The role follows from the groups of the directory, which are none so far.
    const account = await addPerson(tx, scope, { ...facts, role: 'none' }, now);
    const described = await describePerson(tx, account, facts, now);
    await keepPerson(tx, scope, described.id, facts, now);
    const event = { action: sentence('scim.added', facts.email), detail: { name: facts.name } };
    await recordProvisioned(tx, scope, actor, account.id, event, now);
    await reconcileRoles(tx, directory, account.id, now);
    return account.id;
  });
}

const uniqueness = () => new ScimFailure(409, 'This name or address is taken.', 'uniqueness');

/** Replace a person. @throws ScimFailure as `createUser`; 404, 409, 412 */
export function replaceUser(deps: DirectoryDeps, directory: Directory, id: string, { body, isCurrent }: Change): Promise<void> {
  const document = readDocument(userType, body);
  return changeUser(deps, directory, id, isCurrent, (before) => ({ active: before['active'], ...document }));
}

/** Change a person by a PATCH. @throws ScimFailure as `replaceUser` and `applyPatch` */
export function patchUser(deps: DirectoryDeps, directory: Directory, id: string, { body, isCurrent }: Change): Promise<void> {
  return changeUser(deps, directory, id, isCurrent, (before, row) => {
    if (before['emails'] !== undefined) return applyPatch(userType, before, body);
    // What it reads, it may change; what it leaves as it is stays unwritten, so that the address follows the name.
    const emails = defaultEmails(row);
    const { emails: after, ...document } = applyPatch(userType, { ...before, emails: structuredClone(emails) }, body);
    const { userName } = document;
    const hasAddress = userName === before['userName'] || (typeof userName === 'string' && isEmail(userName));
    return hasAddress && isSame(after, emails) ? document : { ...document, ...(after === undefined ? {} : { emails: after }) };
  });
}

function changeUser(
  deps: DirectoryDeps,
  directory: Directory,
  id: string,
  isCurrent: Change['isCurrent'],
  change: (before: Document, row: PersonRow) => Document,
): Promise<void> {
  const { scope, actor } = directory;
  return changeInName(deps, directory, async (tx, now) => {
    const { account, row } = await lockUser(tx, directory, id, isCurrent);
    const before = toDocument(row);
    const document = change(structuredClone(before), row);
    // An address that was changed here stays until the directory writes one, or another name.
    const isKept = before['emails'] === undefined && document['userName'] === before['userName'];
    const facts = factsOf(document, row.is_active ?? true, isKept ? row.email : undefined);
    checkContent(facts.content, row.content);
    const [taken] = await listPeople(tx, scope, { where: whoseNameIs(facts.userName), limit: 1 });
    if (taken !== undefined && taken.id !== id) throw uniqueness();
    if (row.content !== null && isSame(before, document)) return;
    // Who is excepted from rules is so by the address of before, and who has the new one can set a password.
    if (!facts.isActive && account.roles.length > 0) await checkMayLose(tx, directory, account);
    if (facts.email !== account.email) {
      await checkMayLose(tx, directory, account, 'address');
      await mailAddressChange(tx, scope, account, { to: facts.email, by: actor.email }, now);
    }
    await describePerson(tx, account, facts, now);
    await keepPerson(tx, scope, id, facts, now);
    const detail = { changed: namesOfChanged(before, document) };
    await recordProvisioned(tx, scope, actor, id, { action: sentence('scim.changed', facts.email), detail }, now);
    await reconcileRoles(tx, directory, id, now);
  });
}

/** Delete a person. @throws ScimFailure 404, 409, 412 */
export function deleteUser(deps: DirectoryDeps, directory: Directory, id: string, isCurrent: Change['isCurrent']): Promise<void> {
  const { scope, actor } = directory;
  return changeInName(deps, directory, async (tx, now) => {
    const { account } = await lockUser(tx, directory, id, isCurrent);
    await checkMayLose(tx, directory, account);
    await deletePerson(tx, scope, account, now);
    const event = { action: sentence('scim.deleted', account.email), detail: { name: account.name } };
    await recordProvisioned(tx, scope, actor, id, event, now);
  });
}

async function lockUser(
  tx: Tx,
  { scope }: Directory,
  id: string,
  isCurrent: Change['isCurrent'],
): Promise<{ readonly account: AccountRow; readonly row: PersonRow }> {
  const account = isId(id) ? await lockPerson(tx, scope, id) : undefined;
  const [row] = account === undefined ? [] : await listPeople(tx, scope, { where: whoseIdIs(id), limit: 1 });
  if (account === undefined || row === undefined) throw missing();
  if (!isCurrent(versionOf(row))) throw stale();
  return { account, row };
}

export const stale = () => new ScimFailure(412, 'It was changed meanwhile. Read it again.');

function namesOfChanged(before: Document, after: Document): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

/** The same whatever the order of its keys was. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
