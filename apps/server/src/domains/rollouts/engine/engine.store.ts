import { sql, type Selectable } from 'kysely';
import { manyOf } from '../../../platform/listing/index.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import { hasNewerSettings } from '../../router-settings/index.ts';
import { subscriptionIs, type SubscriptionDay } from '../../subscriptions/index.ts';
import type { WindowClosed } from '../../windows/index.ts';
import { HAS_OPEN_CANARIES } from '../targets.store.ts';
import type { Desired, Reported, Target } from './facts.ts';
import type { Row, Tables } from '../../../platform/ports/tables.ts';

// The engine works for every organization: each row has its organization, and nothing is returned to a user.

/** A target with everything that decides what its router does next. */
export interface RolloutWork {
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly bindingId: string;
  /** Null = settings of the whole organization. */
  readonly groupKey: string | null;
  readonly deviceId: string;
  readonly routerId: string;
  readonly endpointId: string;
  /** Bytes of the bound file. */
  readonly size: number;
  readonly desired: Desired;
  readonly reported: Reported;
  readonly isOnline: boolean;
  readonly presenceSince: Date | null;
  readonly isSubscribed: boolean;
  /** Another node has its connection, and takes its next step. */
  readonly isHeldElsewhere: boolean;
  /** The router must first revert the boot choice of an ended binding. */
  readonly isReverting: boolean;
  /** What it is outside of its window for; undefined = it may begin. */
  readonly closedWindow?: WindowClosed | undefined;
  readonly target: Target;
}

interface WorkRow
  extends
    Omit<Selectable<Tables['rollout_targets']>, 'looked_at' | 'download_hash' | 'download_until' | 'wave'>,
    Row<'devices', 'main_account_id'>,
    Row<'bindings', 'group_key' | 'kind' | 'label' | 'schedule' | 'postpone_until' | 'update_window'>,
    Row<'routers', 'endpoint_id' | 'reported' | 'presence_since'> {
  readonly size: number | null;
  readonly profile: string | null;
  readonly sha256: string | null;
  readonly is_signed: boolean;
  readonly bound_at: Date;
  readonly binding_state: Desired['state'];
  readonly open_canaries: boolean;
  /** Null without waves. */
  readonly is_later_wave: boolean | null;
  readonly has_waves: boolean;
  readonly is_outdated: boolean;
  readonly is_online: boolean;
  readonly is_subscribed: boolean;
  readonly is_held_elsewhere: boolean;
  readonly is_reverting: boolean;
}

/**
 * Lock the targets of these routers and read what decides their next step. A router that another device claims now has none. Rows
 * locked by other transactions are skipped, never waited for.
 */
export async function lockRollouts(
  tx: Tx,
  nodeId: string,
  routerIds: readonly string[],
  day: SubscriptionDay,
): Promise<RolloutWork[]> {
  if (routerIds.length === 0) return [];
  const { rows } = await sql<WorkRow>`
    select t.organization_id, d.main_account_id, t.binding_id, b.group_key, t.device_id, t.router_id, r.endpoint_id,
      coalesce(f.size, v.size) as size,
      b.kind, b.label, f.profile, encode(coalesce(f.sha256, v.sha256), 'hex') as sha256, f.signed_by is not null as is_signed,
      b.update_window, b.schedule, b.postpone_until, greatest(b.created_at, b.counted_from) as bound_at, b.state as binding_state,
      b.kind = 'settings' and ${hasNewerSettings(sql`b.created_at`)} as is_outdated,
      t.wave > b.wave_open as is_later_wave, b.wave_open is not null as has_waves,
      b.canaries > 0 and b.wave_open is null and ${HAS_OPEN_CANARIES} as open_canaries,
      r.reported, r.presence = 'online' as is_online, r.presence_since, not ${subscriptionIs('not-subscribed', day)} as is_subscribed,
      coalesce(r.held_by <> ${nodeId}::uuid, false) as is_held_elsewhere,
      exists (select 1 from boot_choices c where c.router_id = r.id) as is_reverting,
      t.state, t.reason, t.detail, t.percent, t.attempt, t.made_at, t.is_canary, t.phase, t.step_key, t.slot, t.step_begun_at, t.step_sent_at,
      t.step_taken_at, t.sends, t.interruptions, t.busy_since, t.checked_by, t.download_since, t.updated_at, t.due_at
    from rollout_targets t
      join bindings b on b.id = t.binding_id and b.ended_at is null
      join devices d on d.organization_id = t.organization_id and d.id = t.device_id and d.archived_at is null
      join routers r on r.id = t.router_id and r.device_id = d.id
      left join firmware f on f.id = b.firmware_id
      left join config_versions v
        on v.organization_id = b.organization_id and v.config_id = b.config_id and v.number = b.config_number
    where t.router_id in ${manyOf(routerIds, 'uuid')}
    for update of t skip locked`.execute(tx);
  return rows.map(workOf);
}

function workOf(row: WorkRow): RolloutWork {
  return {
    organizationId: row.organization_id,
    mainAccountId: row.main_account_id,
    bindingId: row.binding_id,
    groupKey: row.group_key,
    deviceId: row.device_id,
    routerId: row.router_id,
    endpointId: row.endpoint_id,
    size: row.size ?? 0,
    desired: desiredOf(row),
    reported: row.reported,
    isOnline: row.is_online,
    presenceSince: row.presence_since,
    isSubscribed: row.is_subscribed,
    isHeldElsewhere: row.is_held_elsewhere,
    isReverting: row.is_reverting,
    target: targetOf(row),
  };
}

function desiredOf(row: WorkRow): Desired {
  return {
    kind: row.kind,
    label: row.label,
    model: row.profile,
    sha256: row.sha256 ?? '',
    isSigned: row.is_signed,
    schedule: row.schedule,
    postponeUntil: row.postpone_until,
    boundAt: row.bound_at,
    state: row.binding_state,
    hasOpenCanaries: row.open_canaries,
    isOutdated: row.is_outdated,
    hasWaves: row.has_waves,
    window: row.update_window,
  };
}

function targetOf(row: WorkRow): Target {
  return {
    state: row.state,
    reason: row.reason,
    detail: row.detail,
    percent: row.percent,
    attempt: row.attempt,
    madeAt: row.made_at,
    isCanary: row.is_canary,
    isLaterWave: row.is_later_wave === true,
    phase: row.phase,
    stepKey: row.step_key,
    slot: row.slot,
    begunAt: row.step_begun_at,
    sentAt: row.step_sent_at,
    takenAt: row.step_taken_at,
    sends: row.sends,
    interruptions: row.interruptions,
    busySince: row.busy_since,
    checkedBy: row.checked_by,
    downloadSince: row.download_since,
    updatedAt: row.updated_at,
    dueAt: row.due_at,
  };
}

/** A target as it is stored. */
export interface Outcome extends Pick<RolloutWork, 'bindingId' | 'deviceId'> {
  readonly target: Target;
  /** Hash of the password of the step's download address; null = none. */
  readonly downloadHash: Buffer | null;
  readonly downloadUntil: Date | null;
}

/** Write targets that `lockRollouts` locked, all with one statement. */
export async function writeOutcomes(tx: Tx, outcomes: readonly Outcome[], now: Date): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ bindingId, deviceId, target, downloadHash, downloadUntil }) => ({
    binding_id: bindingId,
    device_id: deviceId,
    state: target.state,
    reason: target.reason,
    detail: target.detail,
    percent: target.percent,
    attempt: target.attempt,
    made_at: target.madeAt,
    phase: target.phase,
    step_key: target.stepKey,
    slot: target.slot,
    begun_at: target.begunAt,
    sent_at: target.sentAt,
    taken_at: target.takenAt,
    sends: target.sends,
    interruptions: target.interruptions,
    busy_since: target.busySince,
    checked_by: target.checkedBy,
    download_since: target.downloadSince,
    updated_at: target.updatedAt,
    due_at: target.dueAt,
    hash: downloadHash?.toString('hex') ?? null,
    until: downloadUntil,
  }));
  await sql`update rollout_targets t set state = n.state, reason = n.reason, detail = n.detail, percent = n.percent, attempt = n.attempt, made_at = n.made_at,
      phase = n.phase, step_key = n.step_key, slot = n.slot, step_begun_at = n.begun_at, step_sent_at = n.sent_at,
      step_taken_at = n.taken_at, sends = n.sends, interruptions = n.interruptions,
      busy_since = n.busy_since, checked_by = n.checked_by, download_since = n.download_since, updated_at = n.updated_at, due_at = n.due_at,
      download_hash = decode(n.hash, 'hex'), download_until = n.until, looked_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (binding_id uuid, device_id uuid, state text, reason text, detail text,
      percent smallint, attempt integer, made_at timestamptz, phase text, step_key text, slot text, begun_at timestamptz, sent_at timestamptz,
      taken_at timestamptz, sends smallint, interruptions smallint, busy_since timestamptz, checked_by text, download_since timestamptz, updated_at timestamptz, due_at timestamptz, hash text,
      until timestamptz)
    where t.binding_id = n.binding_id and t.device_id = n.device_id`.execute(tx);
}

/** How many targets of active bindings each of these routers has. */
export async function countActiveTargets(tx: Tx, routerIds: readonly string[]): Promise<{ routerId: string; count: number }[]> {
  if (routerIds.length === 0) return [];
  const { rows } = await sql<{ routerId: string; count: number }>`
    select t.router_id as "routerId", count(*)::int as count from rollout_targets t
      join bindings b on b.id = t.binding_id and b.ended_at is null
      join devices d on d.organization_id = t.organization_id and d.id = t.device_id and d.archived_at is null
      join routers r on r.id = t.router_id and r.device_id = d.id
    where t.router_id in ${manyOf(routerIds, 'uuid')} group by 1`.execute(tx);
  return rows;
}

/** Whether a canary is not successful yet: the other routers wait for all canaries. */
export async function hasOpenCanaries(tx: Tx, bindingId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from rollout_targets c
    where c.binding_id = ${bindingId}::uuid and c.is_canary and c.state <> 'successful' limit 1`.execute(tx);
  return rows.length > 0;
}
