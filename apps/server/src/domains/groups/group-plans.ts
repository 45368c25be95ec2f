import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { DomainError, invalidField, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { planBindings, type BindingChange, type BindingChoices } from '../rollouts/index.ts';
import type { SubscriptionDay } from '../subscriptions/index.ts';
import type { EditableGroup, GroupRecord } from './groups.store.ts';
import { planMoves, type LockedMoves, type MemberChanges } from './members.service.ts';

export interface GroupChanges extends MemberChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly reportSeconds?: number | null | undefined;
  /** Only admins may send it, even empty. */
  readonly bindings?: BindingChoices | undefined;
  /** `confirmation` of what begins at once on the devices that move, as the user has seen it; a part left out is not compared. */
  readonly confirmed?: { readonly joining?: string | undefined; readonly leaving?: string | undefined } | undefined;
}

interface PlannedSave {
  readonly changed: Partial<EditableGroup>;
  readonly moves: LockedMoves;
  readonly bindings: readonly BindingChange[];
}

/** What differs between the stored group and the requested one. The devices that move are returned locked. */
export async function planSave(
  tx: Tx,
  scope: OrganizationScope,
  group: GroupRecord,
  changes: GroupChanges,
  day: SubscriptionDay,
): Promise<PlannedSave> {
  const changed = changesOf(group, changes);
  const moves = await planMoves(tx, scope, group.key, changes, day);
  const named = { key: group.key, name: changed.name ?? group.name };
  return { changed, moves, bindings: await planBindings(tx, scope, named, changes.bindings ?? {}) };
}

function changesOf(group: GroupRecord, { name, description, tags, reportSeconds }: GroupChanges): Partial<EditableGroup> {
  const changed = {
    ...(name === undefined || name === group.name ? {} : { name }),
    ...(description === undefined || description === group.description ? {} : { description }),
    ...(tags === undefined || JSON.stringify(tags) === JSON.stringify(group.tags) ? {} : { tags }),
    ...(reportSeconds === undefined || reportSeconds === group.report_seconds ? {} : { report_seconds: reportSeconds }),
  };
  if (changed.name !== undefined && group.key === DEFAULT_GROUP_KEY) throw new DomainError('group.is_default', { field: 'name' });
  rejectUnfit({ ...group, ...changed });
  return changed;
}

export function rejectUnfit({ name }: Pick<EditableGroup, 'name'>): void {
  if (name.trim() === '') throw invalidField('name', 'must not be empty');
}
