import { DomainError, required, newId } from '../../kernel/index.ts';
import type { MainScope, OrganizationFinder, OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock, Database, Tx } from '../../platform/ports/index.ts';
import { createDefaultGroup } from '../groups/index.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import {
  isOwned,
  insertOrganization,
  lockOrganization,
  updateOrganization,
  type EditableOrganization,
  type OrganizationRecord,
} from './organizations.store.ts';

export interface NewOrganization {
  readonly name: string;
  readonly phone?: string;
  readonly address?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

/**
 * Create an organization with its default group, inside the caller's transaction; audited in the organization's own log.
 * @returns its scope
 * @throws DomainError `request.invalid` for a missing name
 */
export async function createOrganization(
  tx: Tx,
  scope: MainScope,
  actor: AuditActor,
  organization: NewOrganization,
  now: Date,
): Promise<OrganizationScope> {
  const record = checked(organization, now);
  const created: OrganizationScope = { kind: 'organization', mainAccountId: scope.mainAccountId, organizationId: record.id };
  await insertOrganization(tx, scope, record, null, now);
  await furnish(tx, created, actor, record, now);
  return created;
}

/** Give a new organization its default group. */
export async function furnish(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  { id, name }: OrganizationRecord,
  now: Date,
): Promise<void> {
  await createDefaultGroup(tx, scope, now);
  await announce(tx, scope, 'organizations', [id]);
  const event = { action: sentence('organization.created', name), subject: { kind: 'organization', id }, detail: { name } };
  await recordAudit(tx, id, actor, event, now);
}

export interface SavingDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Days that the installation keeps readings and history. */
  readonly keptDays: number;
}

const editable = ['name', 'phone', 'address', 'tags', 'retention_days'] as const;

/**
 * Change name, phone, address, tags (ORG-04) and retention. A save that changes nothing is not logged.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `not_found`, `conflict.stale`, `request.invalid` for a retention that is longer than the installation's
 */
export async function saveOrganization(
  { database, clock, keptDays }: SavingDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  desired: { readonly [Column in keyof EditableOrganization]?: EditableOrganization[Column] | undefined },
  isCurrent: (version: number) => boolean,
): Promise<void> {
  await database.write(async (tx) => {
    const before = required(await lockOrganization(tx, scope), 'not_found');
    if (!isCurrent(before.version)) throw new DomainError('conflict.stale');
    const columns = editable.filter((column) => isChange(before[column], desired[column]));
    if (columns.length === 0) return;
    if (columns.includes('retention_days')) mayKeep(desired.retention_days, keptDays);
    const changes = Object.fromEntries(columns.map((column) => [column, desired[column]]));
    await updateOrganization(tx, scope, changes, clock.now());
    await announce(tx, scope, 'organizations', [scope.organizationId]);
    // The device lists show its name.
    if (columns.includes('name')) await announce(tx, scope, 'devices', []);
    const event = {
      action: sentence(
        'organization.changed',
        { terms: columns.map((column) => (column === 'retention_days' ? 'retention' : column)) },
        before.name,
      ),
      subject: { kind: 'organization', id: scope.organizationId },
      detail: { before: Object.fromEntries(columns.map((column) => [column, before[column]])), after: changes },
    };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

/** @throws DomainError `request.invalid` */
function mayKeep(days: number | null | undefined, most: number): void {
  if (days === null || days === undefined || days <= most) return;
  const message = `retentionDays: this installation keeps ${most} days; enter ${most} or less`;
  throw new DomainError('request.invalid', { message, field: 'retentionDays' });
}

type Field = EditableOrganization[keyof EditableOrganization];

function isChange(before: Field, desired: Field | undefined): boolean {
  return desired !== undefined && JSON.stringify(desired) !== JSON.stringify(before);
}

/** @throws DomainError `request.invalid` for a missing name */
export function checked(organization: NewOrganization, now: Date): OrganizationRecord {
  const { name, phone = '', address = '', description = '', tags = [] } = organization;
  if (name.trim() === '') throw new DomainError('request.invalid', { field: 'name' });
  return { id: newId(now.getTime()), name: name.trim(), phone, address, description, tags: [...tags] };
}

/** Lets http/ find the main account of an organization; a deleted one is not found, except for its log. */
export function createOrganizationFinder(database: Database): OrganizationFinder {
  return {
    ownsOrganization: (scope, organizationId, deletedToo) => isOwned(database.pool, scope, organizationId, deletedToo),
  };
}
