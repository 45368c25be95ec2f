import { DomainError } from '../../failure.ts';
import type { OrganizationFinder } from '../../http/resolve-scope.ts';
import { isId, newId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Database, Queries, Tx } from '../../ports/database.ts';
import type { MainScope, OrganizationScope, Scope } from '../../scope.ts';
import { createDefaultGroup } from '../groups/index.ts';
import { recordAudit } from '../logs/index.ts';
import { findOrganization, insertOrganization, type OrganizationRecord } from './organizations.store.ts';

export interface NewOrganization {
  readonly name: string;
  readonly phone?: string;
  readonly address?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

/** The longest name or phone number, address and description. */
const MAX_LINE = 200;
const MAX_TEXT = 1_000;

/**
 * Create an organization with its default group, inside the caller's transaction; audited in the organization's own log.
 * @returns its scope
 * @throws DomainError `request.invalid` for a missing name or a text that is too long
 */
export async function createOrganization(
  tx: Tx,
  scope: MainScope,
  actor: Parameters<typeof recordAudit>[2],
  organization: NewOrganization,
  now: Date,
): Promise<OrganizationScope> {
  const record = checked(organization, now);
  const created: OrganizationScope = { kind: 'organization', mainAccountId: scope.mainAccountId, organizationId: record.id };
  await insertOrganization(tx, scope, record, now);
  await createDefaultGroup(tx, created, now);
  await announce(tx, created, 'organizations', [record.id]);
  const subject = { kind: 'organization', id: record.id };
  const event = { action: `Created organization ${record.name}`, subject, detail: { name: record.name } };
  await recordAudit(tx, record.id, actor, event, now);
  return created;
}

function checked(organization: NewOrganization, now: Date): OrganizationRecord {
  const { name, phone = '', address = '', description = '', tags = [] } = organization;
  if (name.trim() === '' || name.length > MAX_LINE) throw new DomainError('request.invalid', { field: 'name' });
  if (phone.length > MAX_LINE) throw new DomainError('request.invalid', { field: 'phone' });
  if (address.length > MAX_TEXT) throw new DomainError('request.invalid', { field: 'address' });
  if (description.length > MAX_TEXT) throw new DomainError('request.invalid', { field: 'description' });
  return { id: newId(now.getTime()), name: name.trim(), phone, address, description, tags: [...tags] };
}

/** @throws DomainError `not_found` for an organization outside the scope, a deleted one or a text that is no id */
export async function getOrganization(queries: Queries, scope: Scope, id: string): Promise<OrganizationRecord> {
  const organization = isId(id) ? await findOrganization(queries, scope, id) : undefined;
  if (organization === undefined) throw new DomainError('not_found');
  return organization;
}

/** How http/ asks whose an organization is; a deleted one is nobody's. */
export function createOrganizationFinder(database: Database): OrganizationFinder {
  return {
    async ownsOrganization(scope, organizationId) {
      return (await findOrganization(database.read, scope, organizationId)) !== undefined;
    },
  };
}
