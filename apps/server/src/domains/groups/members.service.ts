import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { DomainError, invalidField, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { storedNames } from '../inventory/index.ts';
import { membershipChanged } from '../rollouts/index.ts';
import type { SubscriptionDay } from '../subscriptions/index.ts';
import { lockGroups } from './groups.store.ts';
import { listMemberIds, lockDevices, resolveDevices, setGroup, type LockedMember } from './members.store.ts';

/** The requested members of a group, as ids or serial numbers in any case: either the whole membership, or who joins and who leaves. */
export interface MemberChanges {
  readonly devices?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** Devices that are locked for their move. */
export interface LockedMoves {
  readonly joining: readonly LockedMember[];
  readonly leaving: readonly LockedMember[];
}

/** The most serial numbers listed in an error. */
const MAX_NAMED = 100;

/**
 * The moves that lead to the requested membership (GRP-09): devices already there stay. The devices are returned locked.
 * @throws DomainError `not_found` for a name that is not a living device of the organization; `group.not_movable` with the serial
 * numbers as detail for devices of another group or not subscribed; `group.is_default`; `request.invalid`
 */
export async function planMoves(
  tx: Tx,
  scope: OrganizationScope,
  key: string,
  changes: MemberChanges,
  day: SubscriptionDay,
): Promise<LockedMoves> {
  const { devices, add = [], remove = [] } = changes;
  if (devices !== undefined && add.length + remove.length > 0)
    throw invalidField('devices', 'cannot be combined with add and remove');
  const requested = await known(tx, scope, devices ?? add, devices === undefined ? 'add' : 'devices');
  const unwanted = devices === undefined ? await known(tx, scope, remove, 'remove') : await othersIn(tx, scope, key, requested);
  const chosen = new Set([...requested, ...unwanted]);
  if (chosen.size < requested.size + unwanted.size) throw invalidField('remove', 'names a device that is also in add');
  // No binding of the default group is written while devices leave it or return; the group itself is new, or locked by the
  // caller.
  await lockGroups(tx, scope, [DEFAULT_GROUP_KEY]);
  const locked = await lockDevices(tx, scope, [...chosen], day);
  if (locked.length < chosen.size) throw new DomainError('not_found', { field: 'devices' });
  const joining = locked.filter(({ id, group_key }) => requested.has(id) && group_key !== key);
  const leaving = locked.filter(({ id, group_key }) => unwanted.has(id) && group_key === key);
  if (key === DEFAULT_GROUP_KEY && joining.length + leaving.length > 0)
    throw new DomainError('group.is_default', { field: 'devices' });
  rejectUnmovable(joining);
  return { joining, leaving };
}

async function othersIn(tx: Tx, scope: OrganizationScope, key: string, requested: ReadonlySet<string>): Promise<Set<string>> {
  return new Set((await listMemberIds(tx, scope, key)).filter((id) => !requested.has(id)));
}

async function known(tx: Tx, scope: OrganizationScope, names: readonly string[], field: string): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const ids = await resolveDevices(tx, scope, await storedNames(tx, scope, names));
  const missing = ids.indexOf(undefined);
  if (missing >= 0) throw new DomainError('not_found', { field: `${field}.${missing}` });
  return new Set(ids as string[]);
}

function rejectUnmovable(joining: readonly LockedMember[]): void {
  const stuck = joining.filter(({ group_key, subscribed }) => group_key !== DEFAULT_GROUP_KEY || !subscribed);
  if (stuck.length === 0) return;
  const serials = stuck.map(({ serial }) => serial).sort();
  throw new DomainError('group.not_movable', {
    field: 'devices',
    detail: { count: stuck.length, serials: serials.slice(0, MAX_NAMED) },
  });
}

/** Execute planned moves; the rollouts of the devices follow. The caller audits and announces. */
export async function moveDevices(
  tx: Tx,
  scope: OrganizationScope,
  key: string,
  { joining, leaving }: LockedMoves,
  now: Date,
): Promise<void> {
  const [into, out] = [idsOf(joining), idsOf(leaving)];
  await setGroup(tx, scope, into, key, now);
  await setGroup(tx, scope, out, DEFAULT_GROUP_KEY, now);
  await membershipChanged(tx, scope, [...into, ...out], now);
}

function idsOf(devices: readonly LockedMember[]): string[] {
  return devices.map(({ id }) => id);
}
