import { type rollouts, normalizeGroupKey } from '@highline/contract';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { WaveRules } from './waves.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'bindings.paused_reason': 'person' | 'threshold';
    'bindings.wave_rule': rollouts.WaveRule;
    'bindings.wave_first': rollouts.FirstWave;
    'bindings.update_window': rollouts.UpdateWindow;
  }
}

export interface NamedGroup {
  readonly key: string;
  readonly name: string;
}

/**
 * Lock the group with this key: until the transaction ends no device joins it and no other binding is written.
 * @param key the default group's plus signs may have been read as spaces (DECISIONS, Envelopes)
 */
export async function lockGroupForUpdate(tx: Tx, scope: OrganizationScope, key: string): Promise<NamedGroup | undefined> {
  if (key.includes('\0')) return undefined;
  return tx
    .selectFrom('groups')
    .select(['key', 'name'])
    .where('organization_id', '=', scope.organizationId)
    .where('key', '=', normalizeGroupKey(key))
    .forUpdate()
    .executeTakeFirst();
}

/** The content of a binding. */
export interface BindingContent<Kind extends rollouts.RolloutKind = rollouts.BindingKind> {
  readonly kind: Kind;
  /** Id of the firmware or config file; empty for settings. */
  readonly fileId: string;
  /** Version number of the config file, or of the settings. */
  readonly number: number | null;
  readonly label: string;
  readonly schedule: rollouts.Schedule;
  readonly postponeUntil: Date | null;
  readonly failureThreshold: number;
  readonly canaries: number;
  /** Null = all at once, or after the canaries. */
  readonly waves: WaveRules | null;
  /** Null = at any time. */
  readonly window: rollouts.UpdateWindow | null;
}

export interface BindingRecord extends BindingContent {
  readonly id: string;
  readonly state: 'running' | 'paused' | 'cancelled';
}

/** The active binding of a kind. */
export async function findActiveBinding(
  queries: Queries,
  scope: OrganizationScope,
  groupKey: string,
  kind: rollouts.BindingKind,
): Promise<BindingRecord | undefined> {
  const row = await queries
    .selectFrom('bindings')
    .select(['id', 'kind', 'label', 'schedule', 'state', 'canaries'])
    .select([
      'wave_open',
      'wave_rule as rule',
      'wave_hours as hours',
      'wave_first as first',
      'wave_shares as shares',
      'update_window as window',
    ])
    .select(({ fn }) => [
      fn.coalesce('firmware_id', 'config_id').$notNull().as('fileId'),
      'config_number as number',
      'postpone_until as postponeUntil',
      'failure_threshold as failureThreshold',
    ])
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', groupKey)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { wave_open: open, rule, hours, first, shares, ...binding } = row;
  return { ...binding, kind, waves: open === null ? null : { rule, hours, first, shares } };
}

/** Whether an active binding of the group, of any kind, is postponed until this time. */
export async function isPostponedUntil(
  queries: Queries,
  scope: OrganizationScope,
  groupKey: string,
  until: Date,
): Promise<boolean> {
  const row = await queries
    .selectFrom('bindings')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', groupKey)
    .where('ended_at', 'is', null)
    .where('postpone_until', '=', until)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Write what a group's routers should have; their targets follow in the same transaction.
 * @param groupKey null = the whole organization, with settings only
 */
export async function insertBinding(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  groupKey: string | null,
  binding: BindingContent<rollouts.RolloutKind>,
  by: string,
  now: Date,
): Promise<void> {
  const { kind, fileId, number, label, schedule, canaries, waves } = binding;
  await tx
    .insertInto('bindings')
    .values({
      id,
      organization_id: scope.organizationId,
      group_key: groupKey,
      kind,
      firmware_id: kind === 'firmware' ? fileId : null,
      config_id: kind === 'config' ? fileId : null,
      config_number: kind === 'config' ? number : null,
      settings_version: kind === 'settings' ? number : null,
      label,
      schedule,
      postpone_until: binding.postponeUntil,
      paused_reason: null,
      failure_threshold: binding.failureThreshold,
      canaries,
      ...waveColumns(waves),
      update_window: binding.window === null ? null : JSON.stringify(binding.window),
      created_by: by,
      created_at: now,
      counted_from: now,
    })
    .execute();
}

function waveColumns(waves: WaveRules | null) {
  const { rule = 'success', hours = null, first = null, shares = [] } = waves ?? {};
  return {
    wave_open: waves === null ? null : 0,
    wave_rule: rule,
    wave_hours: hours,
    wave_first: first === null ? null : JSON.stringify(first),
    wave_shares: [...shares],
  };
}

/** Models of a group's routers that an image is not for. Routers of unknown model do not count. */
export async function otherModels(tx: Tx, scope: OrganizationScope, groupKey: string, model: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('devices')
    .select('model')
    .distinct()
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', groupKey)
    .where('archived_at', 'is', null)
    .where('model', '!=', model)
    .orderBy('model')
    .execute();
  return rows.map((row) => row.model ?? '');
}
