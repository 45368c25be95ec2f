import { lengthOf } from '@highline/contract';
import { isId, newId } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { isUniqueViolation } from '../../platform/ports/index.ts';
import { recordAudit, sentence, type AuditAction } from '../logs/index.ts';
import { changeInName, reconcileAll, type Directory, type DirectoryDeps } from './directory.ts';
import { entityTag } from './entity-tag.ts';
import { badRequest, ScimFailure } from './failure.ts';
import { isRecord } from './stored-values.ts';
import { countGroups, findGroup, lockGroup, type GroupWithMembers } from './groups.queries.ts';
import { changeMembers, deleteGroupRow, insertGroup, updateGroup, type GroupFields } from './groups.store.ts';
import { applyPatch } from './patch.ts';
import { findPeople } from './people.queries.ts';
import { adoptPeople } from './people.store.ts';
import { readDocument, type Document } from './resource.ts';
import { GROUP_SCHEMA, groupType } from './schemas.ts';
import { stale, type Change } from './users.ts';

const MOST_GROUPS = 500;
const LONGEST_NAME = 300;

export const groupVersionOf = ({ version, shown_members: shown }: GroupWithMembers): string => entityTag([version], shown);

/** A group as a directory reads it. */
export function toGroup(row: GroupWithMembers, base: string): Document {
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(row.members.length === 0
      ? {}
      : { members: row.members.map((member) => ({ ...member, type: 'User', $ref: `${base}/Users/${member.value}` })) }),
    meta: {
      resourceType: 'Group',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${base}/Groups/${row.id}`,
      version: groupVersionOf(row),
    },
  };
}

/** @throws ScimFailure 404, also for a group of another organization */
export async function getGroup({ database }: DirectoryDeps, { scope }: Directory, id: string): Promise<GroupWithMembers> {
  const row = isId(id) ? await findGroup(database.read, scope, id) : undefined;
  if (row === undefined) throw missing();
  return row;
}

const missing = () => new ScimFailure(404, 'There is no such group.');

/** Add a group. @returns its id @throws ScimFailure `uniqueness`, `invalidValue` */
export function createGroup(deps: DirectoryDeps, directory: Directory, body: Readonly<Record<string, unknown>>): Promise<string> {
  const { fields, members } = factsOf(readDocument(groupType, body));
  return changeInName(deps, directory, async (tx, now) => {
    if ((await countGroups(tx, directory.scope)) >= MOST_GROUPS)
      throw new ScimFailure(403, `A directory may have ${MOST_GROUPS} groups here. Assign fewer.`);
    const id = newId(now.getTime());
    await unique(insertGroup(tx, directory.scope, id, fields, now));
    await putMembers(tx, directory, id, [], members, now);
    await record(tx, directory, id, sentence('scim.group_added', fields.displayName), { members: members.length }, now);
    return id;
  });
}

/** Replace a group. @throws ScimFailure as `createGroup`; 404, 412 */
export function replaceGroup(deps: DirectoryDeps, directory: Directory, id: string, { body, isCurrent }: Change): Promise<void> {
  const document = readDocument(groupType, body);
  return changeGroup(deps, directory, id, isCurrent, () => document);
}

/** Change a group by a PATCH. @throws ScimFailure as `replaceGroup` and `applyPatch` */
export function patchGroup(deps: DirectoryDeps, directory: Directory, id: string, { body, isCurrent }: Change): Promise<void> {
  return changeGroup(deps, directory, id, isCurrent, (before) => applyPatch(groupType, before, body));
}

function changeGroup(
  deps: DirectoryDeps,
  directory: Directory,
  id: string,
  isCurrent: Change['isCurrent'],
  change: (before: Document) => Document,
): Promise<void> {
  const { scope } = directory;
  return changeInName(deps, directory, async (tx, now) => {
    const group = await lockCurrent(tx, directory, id, isCurrent);
    const before = group.members.map(({ value }) => value);
    const document = change({
      displayName: group.display_name,
      ...(group.external_id === null ? {} : { externalId: group.external_id }),
      members: before.map((value) => ({ value })),
    });
    const { fields, members } = factsOf(document);
    await unique(updateGroup(tx, scope, group, fields, now));
    const { added, removed } = await putMembers(tx, directory, id, before, members, now);
    const detail = { name: fields.displayName, added, removed };
    await record(tx, directory, id, sentence('scim.group_changed', group.display_name), detail, now);
  });
}

/** Delete a group; what its people may do follows from the others. @throws ScimFailure 404, 412 */
export function deleteGroup(
  deps: DirectoryDeps,
  directory: Directory,
  id: string,
  isCurrent: Change['isCurrent'],
): Promise<void> {
  return changeInName(deps, directory, async (tx, now) => {
    const group = await lockCurrent(tx, directory, id, isCurrent);
    await deleteGroupRow(tx, directory.scope, id);
    if (group.role !== null) await reconcileAll(tx, directory, undefined, now);
    await record(tx, directory, id, sentence('scim.group_deleted', group.display_name), {}, now);
  });
}

async function lockCurrent(tx: Tx, { scope }: Directory, id: string, isCurrent: Change['isCurrent']): Promise<GroupWithMembers> {
  const isThere = isId(id) && (await lockGroup(tx, scope, id)) !== undefined;
  const group = isThere ? await findGroup(tx, scope, id) : undefined;
  if (group === undefined) throw missing();
  if (!isCurrent(groupVersionOf(group))) throw stale();
  return group;
}

async function unique(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    throw isUniqueViolation(error) ? new ScimFailure(409, 'There is a group with this name.', 'uniqueness') : error;
  }
}

function factsOf({ displayName, externalId, members }: Document): {
  readonly fields: GroupFields;
  readonly members: readonly string[];
} {
  if (typeof displayName !== 'string' || displayName.trim() === '') throw badRequest('invalidValue', 'displayName is required.');
  if (lengthOf(displayName) > LONGEST_NAME) throw badRequest('invalidValue', `displayName may have ${LONGEST_NAME} characters.`);
  const values = [members ?? []].flat().map((member) => (isRecord(member) ? member['value'] : undefined));
  return {
    fields: { displayName, externalId: typeof externalId === 'string' ? externalId : null },
    members: [...new Set(values.map(personIdOf))],
  };
}

function personIdOf(value: unknown): string {
  if (typeof value !== 'string' || !isId(value)) throw noPerson(value);
  return value.toLowerCase();
}

const noPerson = (id: unknown) => badRequest('invalidValue', `There is no person ${JSON.stringify(String(id).slice(0, 60))}.`);

async function putMembers(
  tx: Tx,
  directory: Directory,
  id: string,
  before: readonly string[],
  after: readonly string[],
  now: Date,
): Promise<{ readonly added: number; readonly removed: number }> {
  const [were, are] = [new Set(before), new Set(after)];
  const added = after.filter((each) => !were.has(each));
  const removed = before.filter((each) => !are.has(each));
  const people = await findPeople(tx, directory.scope, added);
  const known = new Set(people.map((person) => person.id));
  const unknown = added.find((each) => !known.has(each));
  if (unknown !== undefined) throw noPerson(unknown);
  await adoptPeople(tx, directory.scope, people, now);
  await changeMembers(tx, directory.scope, id, { added, removed });
  await reconcileAll(tx, directory, [...added, ...removed], now);
  return { added: added.length, removed: removed.length };
}

async function record(
  tx: Tx,
  { scope, actor }: Directory,
  id: string,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'scim', [id]);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'directory-group', id }, detail }, now);
}
