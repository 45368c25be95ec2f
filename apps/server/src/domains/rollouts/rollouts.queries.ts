// Reads tables of other domains: devices.
import { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { LAST_WAVE } from './waves.store.ts';
import { waitOf, type WaveProgress } from './waves.ts';
import { defineList, shortList, type Reader } from '../../platform/listing/index.ts';
import { hasNewerSettings } from '../router-settings/index.ts';

interface WaveRow extends WaveProgress {
  readonly wave: number;
}

interface RolloutRow extends Omit<rollouts.Rollout, 'created' | 'states' | 'total' | 'waves'> {
  readonly wave_open: number | null;
  readonly wave_rule: rollouts.WaveRule;
  readonly wave_hours: number | null;
  readonly last_wave: number;
  /** Those that have routers. */
  readonly waves: readonly WaveRow[] | null;
  readonly created_at: Date;
  readonly states: Partial<Record<rollouts.TargetState, number>> | null;
}

/** The waves of a binding `b` that have routers, with their progress. */
const wavesOfBinding = sql`select t.wave, count(*) as routers, count(*) filter (where t.state = 'successful') as successful,
    count(*) filter (where t.state in ('failed', 'rolled-back')) as failed, count(*) filter (where t.state = 'unsupported') as unsupported,
    count(*) filter (where t.state in ('downloading', 'verifying', 'applying', 'rebooting')) as busy,
    floor(extract(epoch from max(t.updated_at) filter (where t.state = 'successful'))) as "lastSuccess"
  from rollout_targets t where t.binding_id = b.id group by t.wave`;

/** Waiting routers of a binding `b` of settings for which other ones were saved since. */
const outdatedOfBinding = sql`(select count(*)::int from rollout_targets t
    join devices d on d.organization_id = t.organization_id and d.id = t.device_id
  where t.binding_id = b.id and t.state = 'waiting' and ${hasNewerSettings(sql`b.created_at`)})`;

/** The active rollouts of one group, or one of them by its id. */
export async function listRollouts(
  reader: Reader,
  scope: OrganizationScope,
  which: { readonly group: string | undefined } | { readonly id: string },
): Promise<rollouts.Rollout[]> {
  if ('id' in which && !isId(which.id)) return [];
  const ofLevel = (group: string | undefined) => (group === undefined ? sql`b.group_key is null` : sql`b.group_key = ${group}`);
  const one = 'id' in which ? sql`b.id = ${which.id}::uuid` : ofLevel(which.group);
  const rows = await reader.rows<RolloutRow>(sql`
    select b.id, b.kind, coalesce(coalesce(b.firmware_id, b.config_id)::text, '') as profile, b.label as name, coalesce(b.config_number, b.settings_version) as version, b.schedule,
      floor(extract(epoch from b.postpone_until))::float8 as postpone, b.state, b.paused_reason as "pausedReason",
      b.failure_threshold as "failureThreshold", b.canaries, b.created_at, b.created_by as by, counts.states,
      coalesce(counts.offline, 0)::int as offline,
      case when b.kind = 'settings' then ${outdatedOfBinding} else 0 end as outdated, b.update_window as window, b.wave_open, b.wave_rule, b.wave_hours, ${LAST_WAVE} as last_wave,
      case when b.wave_open is not null then (select json_agg(w) from (${wavesOfBinding}) w) end as waves
    from bindings b cross join lateral (
      select json_object_agg(n.state, n.count) as states, sum(n.offline) as offline from (
        select t.state, count(*) as count, count(*) filter (where t.state = 'waiting' and d.presence <> 'online') as offline
        from rollout_targets t join devices d on d.organization_id = t.organization_id and d.id = t.device_id
        where t.binding_id = b.id group by t.state) n
    ) counts
    where b.organization_id = ${scope.organizationId}::uuid and b.ended_at is null and ${one}
    order by b.kind desc`);
  return rows.map(toRolloutDto);
}

function toRolloutDto({ created_at, states, ...parts }: RolloutRow): rollouts.Rollout {
  const { wave_open: open, wave_rule: rule, wave_hours: hours, last_wave: last, waves, ...row } = parts;
  const counts = Object.fromEntries(rollouts.targetStates.map((state) => [state, states?.[state] ?? 0]));
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    ...row,
    waves: open === null ? null : toWavesDto({ rule, hours, open, last }, waves ?? []),
    created: created_at.toISOString(),
    total,
    states: counts as rollouts.Rollout['states'],
  };
}

const emptyWave: WaveProgress = { routers: 0, successful: 0, failed: 0, unsupported: 0, busy: 0, lastSuccess: null };

function toWavesDto(
  { rule, hours, open, last }: Pick<rollouts.RolloutWaves, 'rule' | 'hours' | 'open'> & { readonly last: number },
  rows: readonly WaveRow[],
): rollouts.RolloutWaves {
  const all = Array.from({ length: last + 1 }, (_, index) => rows.find(({ wave }) => wave === index) ?? emptyWave);
  const waves = all.map(({ routers, successful, failed }) => ({ routers, successful, failed }));
  return { rule, hours, open: Math.min(open, last), waves, ...waitOf({ rule, hours }, all, open) };
}

type TargetQuery = z.output<typeof rollouts.listTargets.query>;

interface TargetRow {
  readonly device: string;
  readonly serial_number: string;
  readonly vehicle_number: string;
  readonly presence: rollouts.RolloutTarget['presence'];
  readonly state: rollouts.TargetState;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly phase: string;
  readonly binding_state: rollouts.Rollout['state'];
  /** Other settings were saved for it since the rollout began. */
  readonly is_outdated: boolean;
  readonly percent: number;
  readonly attempt: number;
  readonly current: string | null;
  readonly checkedBy: string | null;
  readonly updated_at: Date;
}

const targets = sql`rollout_targets t join bindings b on b.id = t.binding_id and b.ended_at is null
  join devices d on d.organization_id = t.organization_id and d.id = t.device_id`;

const isOutdatedTarget = sql`(b.kind = 'settings' and t.state = 'waiting' and ${hasNewerSettings(sql`b.created_at`)})`;

/** A failure is what a person has to act on. */
const byState: readonly rollouts.TargetState[] = [
  'failed',
  'rolled-back',
  'downloading',
  'verifying',
  'applying',
  'rebooting',
  'waiting',
  'unsupported',
  'successful',
];
const stateOrder = sql`array_position(array[${sql.join(byState.map((state) => sql.lit(state)))}]::text[], t.state::text)`;

/** The routers of a rollout, those that failed first. */
export const targetList = defineList({
  of: (scope: OrganizationScope, query: TargetQuery) =>
    shortList(query, {
      select: sql`select d.id as device, d.serial as serial_number, d.vehicle_number, d.presence, t.state, t.reason, t.detail, t.phase,
        b.state as binding_state, ${isOutdatedTarget} as is_outdated, t.percent, t.attempt, case b.kind when 'firmware' then d.firmware when 'config' then d.config end as current,
        t.checked_by as "checkedBy", t.updated_at from ${targets}`,
      table: targets,
      where: [
        sql`t.organization_id = ${scope.organizationId}::uuid and t.binding_id = ${query.rollout}::uuid`,
        ...(query.state === undefined ? [] : [sql`t.state = ${query.state}`]),
      ],
      fields: { serial: sql`d.serial`, vehicle: sql`d.vehicle_number` },
      sorts: { state: [stateOrder, sql`d.serial`], serial: [sql`d.serial`], updated: [sql`t.updated_at`, sql`t.device_id`] },
      sort: 'state',
    }),
  toDto: toTargetDto,
});

function toTargetDto({
  phase,
  binding_state,
  is_outdated,
  updated_at,
  reason,
  detail,
  ...row
}: TargetRow): rollouts.RolloutTarget {
  return {
    ...row,
    reason: reasonOf({ ...row, reason, phase, binding_state, is_outdated }),
    // A later state keeps the message of the failure before it.
    detail: row.state === 'failed' || row.state === 'rolled-back' ? detail : null,
    updated: Math.floor(updated_at.getTime() / 1_000),
  };
}

/** The reason why a router waits, if its connection or its rollout explains it now; that reason is not stored per router. */
function reasonOf({
  state,
  phase,
  presence,
  binding_state,
  is_outdated,
  reason,
}: Pick<TargetRow, 'state' | 'phase' | 'presence' | 'binding_state' | 'is_outdated' | 'reason'>) {
  if (state !== 'waiting' || phase !== 'idle') return reason;
  // It gets nothing of this rollout, whatever else keeps it.
  if (is_outdated) return 'settings-changed';
  if (binding_state !== 'running') return binding_state;
  if (presence !== 'online') return 'offline';
  return reason === 'offline' || reason === 'paused' ? 'queued' : reason;
}
