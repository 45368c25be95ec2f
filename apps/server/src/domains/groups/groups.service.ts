import { DEFAULT_GROUP_KEY, DEFAULT_GROUP_NAME } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import { newId } from '../../ids.ts';
import type { Queries, Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';
import { normalizeGroupKey } from './group.key.ts';
import { findGroup, insertGroup, type GroupRecord } from './groups.store.ts';

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;

/**
 * The group a call names by its key.
 * @throws DomainError `group.not_found`, also for another organization's group
 */
export async function getGroup(queries: Queries, scope: OrganizationScope, key: string): Promise<GroupRecord> {
  const group = await findGroup(queries, scope, normalizeGroupKey(key));
  if (group === undefined) throw new DomainError('group.not_found', { field: 'group' });
  return group;
}

/** Give a new organization the group that all its devices begin in (DECISIONS, Identity and tenants). */
export async function createDefaultGroup(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await insertGroup(tx, scope, { key: DEFAULT_GROUP_KEY, name: DEFAULT_GROUP_NAME, description: '' }, now);
}

/**
 * Create a group; the caller audits and announces. Used by the demo's seed until groups can be managed on their screen.
 * @returns the new group's key
 * @throws DomainError `request.invalid` for a name or description that is too long
 */
export async function createGroup(
  tx: Tx,
  scope: OrganizationScope,
  group: { readonly name: string; readonly description?: string },
  now: Date,
): Promise<string> {
  const { name, description = '' } = group;
  if (name.trim() === '' || name.length > MAX_NAME) throw new DomainError('request.invalid', { field: 'name' });
  if (description.length > MAX_DESCRIPTION) throw new DomainError('request.invalid', { field: 'description' });
  const key = newId(now.getTime());
  await insertGroup(tx, scope, { key, name, description }, now);
  return key;
}
