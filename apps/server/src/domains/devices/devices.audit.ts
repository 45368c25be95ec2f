import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { describeMany, recordAudit, sentence } from '../logs/index.ts';
import { raise } from '../notifications/index.ts';

interface Named {
  readonly id: string;
  readonly serial: string;
  /** The group it joined, or was in. */
  readonly groupKey: string;
}

const membership = {
  Added: ['device.added', 'devices.added'],
  Deleted: ['device.deleted', 'devices.deleted'],
  Imported: ['device.imported', 'devices.imported'],
} as const;

/**
 * Announce that devices were added or removed, to the consoles of the organization and its main account, and log it. One entry
 * for all of them, with a digest of their serial numbers. Call it last in its transaction: it locks the log's head.
 */
export async function recordMembership(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  verb: 'Added' | 'Deleted' | 'Imported',
  devices: readonly Named[],
  now: Date,
): Promise<void> {
  const { mainAccountId, organizationId } = scope;
  await announce(
    tx,
    scope,
    'devices',
    devices.map(({ id }) => id),
  );
  await announce(tx, scope, 'groups', []);
  await announce(tx, scope, 'organizations', [organizationId]);
  await announce(tx, { kind: 'main', mainAccountId }, 'inventory', []);
  await raiseMembership(tx, scope, actor, verb === 'Deleted' ? 'DEVICE_DELETED' : 'DEVICE_ADDED', devices, now);
  const [only] = devices;
  const one = devices.length === 1 && only !== undefined;
  const event = {
    action: one ? sentence(membership[verb][0], only.serial) : sentence(membership[verb][1], devices.length),
    subject: { kind: 'device', id: one ? only.id : 'many' },
    detail: describeMany(devices.map(({ serial }) => serial)),
    devices: devices.map(({ id }) => id),
  };
  await recordAudit(tx, organizationId, actor, event, now);
}

/**
 * Raise an event for added or removed devices, once for each group: recipients who follow some groups only get nothing about the
 * others.
 */
export async function raiseMembership(
  tx: Tx,
  scope: OrganizationScope,
  { email: by }: Actor,
  event: 'DEVICE_ADDED' | 'DEVICE_DELETED',
  devices: readonly Named[],
  now: Date,
): Promise<void> {
  const groups = Map.groupBy(devices, ({ groupKey }) => groupKey);
  const happenings = Array.from(groups, ([groupKey, own]) => ({
    event,
    groupKey,
    detail: { what: own.map(({ serial }) => serial), count: own.length, by },
  }));
  await raise(tx, scope, happenings, now);
}
