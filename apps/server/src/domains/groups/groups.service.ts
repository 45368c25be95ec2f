import { bindingRights, DEFAULT_GROUP_KEY, DEFAULT_GROUP_NAME, moveRight, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, newId, requireRight, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { manyOf } from '../../platform/listing/index.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import type { Database, Queries, Tx } from '../../platform/ports/database.ts';
import {
  applyBindings,
  lockGroupForUpdate,
  planBindings,
  requireRolloutApproval,
  type Arrival,
  recordBindings,
  rejectUnseenArrival,
  type BindingChange,
  type BindingChoices,
} from '../rollouts/index.ts';
import { subscriptionDay } from '../subscriptions/index.ts';
import { rejectReader } from './control.service.ts';
import { planSave, type GroupChanges, rejectUnfit } from './group-plans.ts';
import { groupTag } from './group.dto.ts';
import { recordChanged, recordCreated } from './groups.audit.ts';
import {
  findGroup,
  insertGroup,
  lockGroupForNoKeyUpdate,
  updateGroup,
  type EditableGroup,
  type GroupRecord,
} from './groups.store.ts';
import { moveDevices, planMoves, type LockedMoves } from './members.service.ts';

export interface GroupServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** A subscription that ends within this many days is expiring; such a device may still be moved. */
  readonly expiringDays: number;
}

/** The properties of a new group. */
export interface NewGroup {
  readonly name: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly reportSeconds?: number | null | undefined;
}

/**
 * The group with this key.
 * @throws DomainError `group.not_found`, also for another organization's group
 */
export async function getGroup(queries: Queries, scope: OrganizationScope, key: string): Promise<GroupRecord> {
  const group = await findGroup(queries, scope, normalizeGroupKey(key));
  if (group === undefined) throw notFound();
  return group;
}

/**
 * The group that a query names by `groupId` or `projectId`; empty = all groups of the organization.
 * @throws DomainError `not_found` for another project, also another organization; `group.not_found`
 */
export async function getProjectGroup(
  queries: Queries,
  scope: OrganizationScope,
  { projectId = '', groupId = '' }: { readonly projectId?: string | undefined; readonly groupId?: string | undefined },
): Promise<string> {
  const project = projectId.toLowerCase() === scope.organizationId ? '' : normalizeGroupKey(projectId);
  if (project !== '' && (await findGroup(queries, scope, project)) === undefined)
    throw new DomainError('not_found', { field: 'projectId' });
  return groupId === '' ? project : (await getGroup(queries, scope, groupId)).key;
}

/** Give a new organization its default group (DECISIONS, Identity and tenants). */
export async function createDefaultGroup(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  const fields = { name: DEFAULT_GROUP_NAME, description: '', tags: [], report_seconds: null };
  await insertGroup(tx, scope, { key: DEFAULT_GROUP_KEY, ...fields }, now);
}

function fieldsOf({ name, description = '', tags = [], reportSeconds = null }: NewGroup): EditableGroup {
  return { name, description, tags, report_seconds: reportSeconds };
}

/**
 * Create an empty group inside the caller's transaction, which audits and announces.
 * @returns the new group's key
 * @throws DomainError `request.invalid` for an empty name; `group.name_taken`
 */
export async function createGroup(tx: Tx, scope: OrganizationScope, group: NewGroup, now: Date): Promise<string> {
  const fields = fieldsOf(group);
  rejectUnfit(fields);
  const key = newId(now.getTime());
  if (!(await insertGroup(tx, scope, { key, ...fields }, now))) throw nameTaken();
  return key;
}

/**
 * Create a group, move devices of the default group into it and bind files to it, all or nothing (GRP-06).
 * @returns the new group's key
 * @throws DomainError as `createGroup`, `planMoves`, `planBindings` and `applyBindings`
 */
export async function addGroup(
  { database, clock, expiringDays }: GroupServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  group: NewGroup & { readonly devices?: readonly string[] | undefined; readonly bindings?: BindingChoices | undefined },
): Promise<string> {
  const now = clock.now();
  const { name, devices = [], bindings = {} } = group;
  return database.write(async (tx) => {
    const key = await createGroup(tx, scope, group, now);
    const moves = await planMoves(tx, scope, key, { add: devices }, subscriptionDay(now, expiringDays));
    rejectMoves(actor, moves);
    const changes = await planBindings(tx, scope, { key, name }, bindings);
    await moveDevices(tx, scope, key, moves, now);
    rejectBindings(actor, changes);
    const applied = await applyBindings(tx, scope, actor, changes, now);
    await requireRolloutApproval(tx, scope, { group: { key, name }, applied });
    await recordCreated(tx, scope, actor, { key, ...fieldsOf(group) }, moves, now);
    await recordBindings(tx, scope, actor, applied, now);
    return key;
  });
}

/**
 * Change name, description, tags, report interval, devices and bindings of a group, all or nothing (GRP-08, GRP-09, GRP-10). A save that changes nothing
 * is not logged.
 * @param isCurrent whether the caller's entity tag, from If-Match, is the current one. If it is not, a save whose changes are all stored
 * already succeeds (RFC 9110, 13.1.1): its first response was lost.
 * @throws DomainError `group.not_found`, `permission.denied` for a user without Full Control or with bindings, `conflict.stale`,
 * `group.is_default` for the name or the devices of the default group, `group.name_taken`, `request.invalid`, `impact.changed`, and as
 * `planMoves`, `planBindings` and `applyBindings`
 */
export async function saveGroup(
  { database, clock, expiringDays }: GroupServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  key: string,
  changes: GroupChanges,
  isCurrent: (tag: string) => boolean,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    if (changes.bindings !== undefined) await lockGroupForUpdate(tx, scope, key);
    const group = await lockGroupForNoKeyUpdate(tx, scope, normalizeGroupKey(key));
    if (group === undefined) throw notFound();
    await rejectReader(tx, scope, actor, group.key);
    if (changes.bindings !== undefined && actor.role !== 'admin') throw new DomainError('permission.denied');
    const isStale = !isCurrent(groupTag(group));
    const planned = await planSave(tx, scope, group, changes, subscriptionDay(now, expiringDays)).catch((error: unknown) => {
      throw isStale && error instanceof DomainError ? new DomainError('conflict.stale') : error;
    });
    const { changed, moves, bindings } = planned;
    const isChanged = Object.keys(changed).length + moves.joining.length + moves.leaving.length > 0;
    if (!isChanged && bindings.length === 0) return;
    if (isStale) throw new DomainError('conflict.stale');
    rejectMoves(actor, moves);
    const { joining, leaving } = changes.confirmed ?? {};
    await rejectUnseenArrival(tx, scope, group.key, moves.joining, joining, 'joining');
    await rejectUnseenArrival(tx, scope, DEFAULT_GROUP_KEY, moves.leaving, leaving, 'leaving');
    if (isChanged && !(await updateGroup(tx, scope, group.key, changed, now))) throw nameTaken();
    await moveDevices(tx, scope, group.key, moves, now);
    rejectBindings(actor, bindings);
    const applied = await applyBindings(tx, scope, actor, bindings, now);
    await requireRolloutApproval(tx, scope, { group, applied }, [
      ...arrivalOf(group.key, moves.joining),
      ...arrivalOf(DEFAULT_GROUP_KEY, moves.leaving),
    ]);
    if (isChanged) await recordChanged(tx, scope, actor, group, changed, moves, now);
    await recordBindings(tx, scope, actor, applied, now);
  });
}

/** Devices that joined a group; none if there are none. */
export function arrivalOf(group: string, devices: LockedMoves['joining']): Arrival[] {
  if (devices.length === 0) return [];
  const ids = devices.map(({ id }) => id);
  return [{ group, joining: sql`d.id in ${manyOf(ids, 'uuid')}` }];
}

/** @throws DomainError `key.not_allowed` */
export function rejectMoves(actor: Actor, { joining, leaving }: LockedMoves): void {
  if (joining.length + leaving.length > 0) requireRight(actor, moveRight);
}

/** @throws DomainError `key.not_allowed` */
function rejectBindings(actor: Actor, changes: readonly BindingChange[]): void {
  for (const { kind, desired } of changes) requireRight(actor, bindingRights[kind][desired === undefined ? 'unbind' : 'bind']);
}

export function notFound(field = 'group'): DomainError {
  return new DomainError('group.not_found', { field });
}

function nameTaken(): DomainError {
  return new DomainError('group.name_taken', { field: 'name' });
}
