import type { bulkJobs } from '@highline/contract';
import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findGroups, lockGroups } from '../groups/index.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import { type AuditAction, describeMany, recordAudit, sentence, type SentencePart } from '../logs/index.ts';
import { membershipChanged, subscriptionChanged } from '../rollouts/index.ts';
import { rejectMoved } from './devices.moved.ts';
import { lockForBulk, peekLocations, writeBulk, type BulkDevice } from './devices.bulk.store.ts';
import type { DeviceTags } from './device.tags.ts';
import { tagsAfter } from './device.tags.ts';
import { archiveFound } from './devices.service.ts';
import { findForDeletion } from './devices.store.ts';

/** What can be changed on many devices at once, with the stored form of its values. */
export interface BulkValues {
  group: string;
  /** ISO days; null = never set. */
  subscription: { readonly startedOn: string | null; readonly expiresOn: string | null };
  tags: readonly string[];
}
export type BulkFacet = keyof BulkValues;

/** A change of many devices. */
export interface BulkChange<Facet extends BulkFacet = BulkFacet> {
  readonly facet: Facet;
  /** The sentence of the log entry: 'Moved 12 devices to group North'. */
  readonly action: (devices: SentencePart) => AuditAction;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The value that a device shall have, or why it cannot have it. */
  desired(id: string, present: BulkValues[Facet]): BulkValues[Facet] | { readonly fault: bulkJobs.ItemReason };
  /** Skip devices whose value is no longer this one. */
  expected?(id: string): BulkValues[Facet] | undefined;
  /** Group keys that `desired` may return. */
  readonly groups?: readonly string[];
}

/** The result of a change for one device. */
export type BulkOutcome =
  | { readonly state: 'done'; readonly before: unknown }
  | { readonly state: 'skipped' | 'failed'; readonly reason: bulkJobs.ItemReason };

const gone: BulkOutcome = { state: 'skipped', reason: 'gone' };

/**
 * Change one value of many devices of an organization, with one log entry for those that changed. Devices that are not living devices of
 * the organization are skipped. Run it in `untilStill`.
 * @returns an outcome for each id
 */
export async function changeDevices<Facet extends BulkFacet>(
  tx: Tx,
  owner: OrganizationScope,
  actor: Actor,
  change: BulkChange<Facet>,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, BulkOutcome>> {
  const devices = await lockAll(tx, owner, change, ids);
  const outcomes = new Map<string, BulkOutcome>(ids.map((id) => [id, gone]));
  const changed: { readonly device: BulkDevice; readonly to: BulkValues[Facet] }[] = [];
  const known = change.groups && new Set(await findGroups(tx, owner, change.groups));
  for (const device of devices) {
    const present = valueOf(device, change.facet);
    const decision = decide(change, device.id, present, known);
    if ('to' in decision) changed.push({ device, to: decision.to });
    outcomes.set(device.id, 'to' in decision ? { state: 'done', before: present } : decision);
  }
  if (changed.length === 0) return outcomes;
  const changedIds = changed.map(({ device }) => device.id);
  await writeBulk(
    tx,
    owner,
    change.facet,
    changed.map(({ device, to }) => ({ id: device.id, to })),
    now,
  );
  await followUp(tx, owner, change.facet, changedIds, now);
  const serials = changed.map(({ device }) => device.serial).toSorted();
  const event = {
    action: change.action(counted(serials)),
    subject: { kind: 'device', id: changedIds.length === 1 ? changedIds[0]! : 'many' },
    detail: { ...describeMany(serials), ...change.detail },
    devices: changedIds,
  };
  await recordAudit(tx, owner.organizationId, actor, event, now);
  return outcomes;
}

/** Devices of a sentence: 'device SN1', '12 devices'. */
function counted(serials: readonly string[]): SentencePart {
  return serials.length === 1 ? sentence('part.device', serials[0]!) : sentence('part.devices', serials.length);
}

type Decision<Value> = { readonly to: Value } | Extract<BulkOutcome, { reason: unknown }>;

function decide<Facet extends BulkFacet>(
  { desired, expected }: BulkChange<Facet>,
  id: string,
  present: BulkValues[Facet],
  groups: ReadonlySet<string> | undefined,
): Decision<BulkValues[Facet]> {
  const required = expected?.(id);
  if (required !== undefined && !isSame(required, present)) return { state: 'skipped', reason: 'changed-since' };
  const to = desired(id, present);
  if (typeof to === 'object' && 'fault' in to) return { state: 'failed', reason: to.fault };
  if (groups !== undefined && !groups.has(to as string)) return { state: 'failed', reason: 'group.not_found' };
  return isSame(to, present) ? { state: 'skipped', reason: 'unchanged' } : { to };
}

function valueOf<Facet extends BulkFacet>(device: BulkDevice, facet: Facet): BulkValues[Facet] {
  const { group_key: group, started_on: startedOn, expires_on: expiresOn, tags } = device;
  const values: BulkValues = { group, subscription: { startedOn, expiresOn }, tags };
  return values[facet];
}

function isSame(a: BulkValues[BulkFacet], b: BulkValues[BulkFacet]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Lock the devices in the order of every move: groups, routers, devices. */
async function lockAll(tx: Tx, owner: OrganizationScope, { facet, groups = [] }: BulkChange, ids: readonly string[]) {
  const seen = await peekLocations(tx, owner, ids);
  if (facet === 'group') await lockGroups(tx, owner, [...new Set([...groups, ...seen.map(({ group_key }) => group_key)])]);
  await lockRoutersInOrder(
    tx,
    owner,
    seen.map(({ router_id }) => router_id),
  );
  const locked = await lockForBulk(tx, owner, ids);
  if (facet === 'group') rejectMoved(seen, locked);
  return locked;
}

async function followUp(tx: Tx, owner: OrganizationScope, facet: BulkFacet, ids: readonly string[], now: Date): Promise<void> {
  await announce(tx, owner, 'devices', ids);
  if (facet === 'group') {
    await membershipChanged(tx, owner, ids, now);
    await announce(tx, owner, 'groups', []);
  }
  if (facet === 'subscription') {
    await announce(tx, owner, 'organizations', [owner.organizationId]);
    // Rollouts that waited for the subscription continue at once.
    await subscriptionChanged(tx, owner, ids, now);
  }
}

/** Move devices to a group. */
export function moveChange(key: string, name: string): BulkChange<'group'> {
  return {
    facet: 'group',
    action: (devices) => sentence('devices.moved', devices, name),
    detail: { group: name },
    desired: () => key,
    groups: [key],
  };
}

/** Set the days of subscriptions. */
export function subscriptionChange(days: BulkValues['subscription']): BulkChange<'subscription'> {
  return {
    facet: 'subscription',
    action: (devices) => sentence('devices.subscription_changed', devices),
    detail: { after: { started: days.startedOn, expired: days.expiresOn } },
    desired: () => days,
  };
}

/** Add tags and remove tags. */
export function tagsChange(change: DeviceTags): BulkChange<'tags'> {
  return {
    facet: 'tags',
    action: (devices) => sentence('devices.tagged', devices),
    detail: { added: change.add, removed: change.remove },
    desired: (_, present) => tagsAfter(present, change) ?? { fault: 'tags.too_many' },
  };
}

/**
 * Restore the values that devices had before a change, of those whose value is still the one that the change has set.
 * @param before former values by device
 */
export function restoringChange<Facet extends BulkFacet>(
  change: BulkChange<Facet>,
  before: ReadonlyMap<string, BulkValues[Facet]>,
): BulkChange<Facet> {
  return {
    facet: change.facet,
    action: (devices) => sentence('devices.restored', { terms: [change.facet] }, devices),
    detail: { undone: change.detail },
    desired: (id) => before.get(id)!,
    expected: (id) => {
      const set = change.desired(id, before.get(id)!);
      return typeof set === 'object' && 'fault' in set ? undefined : set;
    },
    ...(change.facet === 'group' ? { groups: [...new Set(before.values())] as string[] } : {}),
  };
}

/**
 * Archive devices of an organization and free their routers; those that are gone already are skipped. Run it in `untilStill`.
 * @returns an outcome for each id, and the routers whose connections are to be closed after the commit
 */
export async function deleteInBulk(
  tx: Tx,
  owner: OrganizationScope,
  actor: Actor,
  ids: readonly string[],
  now: Date,
): Promise<{ readonly outcomes: Map<string, BulkOutcome>; readonly routerIds: readonly string[] }> {
  const found = await findForDeletion(tx, owner, ids);
  const archived = await archiveFound(tx, owner, actor, found, now);
  const outcomes = new Map<string, BulkOutcome>(ids.map((id) => [id, gone]));
  for (const { id } of archived) outcomes.set(id, { state: 'done', before: null });
  return { outcomes, routerIds: archived.map(({ router_id }) => router_id) };
}

/** @throws DomainError `request.invalid` for a change of tags that changes nothing */
export function rejectEmptyTags({ add, remove }: DeviceTags): void {
  if (add.length + remove.length === 0)
    throw new DomainError('request.invalid', { message: 'add: name at least one tag to add or to remove', field: 'action.add' });
}
