import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { describeMany, recordAudit, sentence } from '../logs/index.ts';
import type { EditableGroup, GroupRecord } from './groups.store.ts';

interface Named {
  readonly id: string;
  readonly serial: string;
}

/** Devices that joined a group from the default group, and those that returned to it. */
export interface Moves {
  readonly joining: readonly Named[];
  readonly leaving: readonly Named[];
}

// Each of these must be last in its transaction: it locks the head of the organization's log.

/** Log entry and live event of a new group, with the devices that joined it. */
export async function recordCreated(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  group: GroupRecord,
  moves: Moves,
  now: Date,
): Promise<void> {
  await announceChange(tx, scope, [group.key], [...moves.joining]);
  await recordAudit(
    tx,
    scope.organizationId,
    actor,
    {
      action: sentence('group.created', group.name),
      subject: { kind: 'group', id: group.key },
      detail: { ...fieldsOf(group), devices: described(moves.joining) },
      devices: idsOf(moves.joining),
    },
    now,
  );
}

/** Log entry and live event of a change, with the changed columns and the moved devices. */
export async function recordChanged(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  group: GroupRecord,
  changed: Partial<EditableGroup>,
  moves: Moves,
  now: Date,
): Promise<void> {
  const moved = [...moves.joining, ...moves.leaving];
  const columns = Object.keys(changed) as (keyof EditableGroup)[];
  const names = columns.map((column) => (column === 'report_seconds' ? 'report interval' : column));
  await announceChange(tx, scope, [group.key], moved);
  await recordAudit(
    tx,
    scope.organizationId,
    actor,
    {
      action: sentence('group.changed', { terms: [...names, ...(moved.length > 0 ? ['devices'] : [])] }, group.name),
      subject: { kind: 'group', id: group.key },
      detail: {
        name: group.name,
        before: Object.fromEntries(columns.map((column) => [column, group[column]])),
        after: changed,
        ...(moved.length > 0 ? { added: described(moves.joining), removed: described(moves.leaving) } : {}),
      },
      devices: idsOf(moved),
    },
    now,
  );
}

/** @param returned devices that were in the groups, with the key of their group */
export async function recordDeleted(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  deleted: readonly GroupRecord[],
  returned: readonly (Named & { readonly group_key: string })[],
  now: Date,
): Promise<void> {
  const members = Map.groupBy(returned, (device) => device.group_key);
  await announceChange(
    tx,
    scope,
    deleted.map(({ key }) => key),
    returned,
  );
  for (const { key, name, description } of deleted) {
    const event = {
      action: sentence('group.deleted', name),
      subject: { kind: 'group', id: key },
      detail: { name, description, devices: described(members.get(key) ?? []) },
      devices: idsOf(members.get(key) ?? []),
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  }
}

/** A device that changes its group also changes the default group: it comes from there or returns there. */
async function announceChange(tx: Tx, scope: OrganizationScope, keys: readonly string[], moved: readonly Named[]): Promise<void> {
  await announce(tx, scope, 'groups', moved.length > 0 ? [...new Set([...keys, DEFAULT_GROUP_KEY])] : keys);
  if (moved.length === 0) return;
  await announce(
    tx,
    scope,
    'devices',
    moved.map(({ id }) => id),
  );
}

/** Its fields in the log; the interval only where it is set. */
function fieldsOf({ name, description, tags, report_seconds: seconds }: GroupRecord) {
  return { name, description, tags, ...(seconds === null ? {} : { report_seconds: seconds }) };
}

function idsOf(devices: readonly Named[]): string[] {
  return devices.map(({ id }) => id);
}

function described(devices: readonly Named[]) {
  return describeMany(devices.map(({ serial }) => serial));
}
