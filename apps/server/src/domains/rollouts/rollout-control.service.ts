import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, required, isId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { manyOf, type Fragment } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx, Row } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import type { BindingServiceDeps } from './bindings.service.ts';
import { changeTargets } from './steps.store.ts';
import { nameOf } from './rollout-name.ts';
import { openWavesOf } from './open-waves.ts';
import { wakeBinding, wakeChosen } from './targets.store.ts';
import { LAST_WAVE, lastWithRouters } from './waves.store.ts';

export interface RolloutAction {
  /** Id. */
  readonly rollout: string;
  readonly action: 'pause' | 'resume' | 'cancel' | 'retry' | 'wave';
  /** With `retry`: only these; left out, all that failed or were rolled back. */
  readonly devices?: readonly string[] | undefined;
  /** With `wave`: number of the last wave that may begin. */
  readonly wave?: number | undefined;
}

type LockedRollout = Row<'bindings', 'id' | 'group_key' | 'kind' | 'label' | 'state' | 'wave_open'> & { readonly last: number };

const sentences = {
  pause: (rollout: LockedRollout) => sentence('rollout.paused', nameOf(rollout)),
  resume: (rollout: LockedRollout) => sentence('rollout.resumed', nameOf(rollout)),
  cancel: (rollout: LockedRollout) => sentence('rollout.cancelled', nameOf(rollout)),
  retry: (rollout: LockedRollout) => sentence('rollout.retried', nameOf(rollout)),
  wave: ({ last, wave_open: open, ...rollout }: LockedRollout, { wave = 0 }: RolloutAction) =>
    sentence(
      wave > (open ?? last) ? 'rollout.continued' : 'rollout.cut_back',
      nameOf(rollout),
      Math.min(wave, last) + 1,
      last + 1,
    ),
} as const;

/**
 * Pause, resume or cancel a rollout, retry exactly the routers that failed, or let a later wave begin or only an earlier one. A request
 * that changes nothing is not logged; a step under way runs to its end, but a paused or cancelled rollout, and a wave that is cut back, starts nothing
 * that waits for the next boot.
 * @throws DomainError `rollout.not_found`, also for an ended one; `rollout.ended` for a cancelled one; `not_found` for a device
 * that is not part of it
 */
export async function controlRollout(
  { database, clock, log }: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  control: RolloutAction,
): Promise<void> {
  const now = clock.now();
  const changed = await database.write(async (tx) => {
    const rollout = required(await lockRollout(tx, scope, control.rollout), 'rollout.not_found', { field: 'rollout' });
    if (rollout.state === 'cancelled' && control.action !== 'cancel')
      throw new DomainError('rollout.ended', { field: 'rollout' });
    const detail = await carryOut(tx, scope, rollout, control, now);
    if (detail === undefined) return false;
    await announce(tx, scope, 'rollouts', [rollout.id]);
    if (rollout.group_key !== null) await announce(tx, scope, 'groups', [rollout.group_key]);
    const action = sentences[control.action](rollout, control);
    const event = { action, subject: { kind: 'rollout', id: rollout.id }, detail: { label: rollout.label, ...detail } };
    await recordAudit(tx, scope.organizationId, actor, event, now);
    return true;
  });
  const { rollout, action } = control;
  if (changed) log.info({ rollout, organization: scope.organizationId, action }, 'A person changed a rollout.');
}

async function lockRollout(tx: Tx, scope: OrganizationScope, id: string): Promise<LockedRollout | undefined> {
  if (!isId(id)) return undefined;
  return tx
    .selectFrom('bindings as b')
    .select(['id', 'group_key', 'kind', 'label', 'state', 'wave_open'])
    .select(LAST_WAVE.as('last'))
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** @returns the addition to the rollout's name in the log; undefined when nothing changed */
async function carryOut(
  tx: Tx,
  scope: OrganizationScope,
  { id, state, wave_open: open, last }: LockedRollout,
  { action, devices, wave }: RolloutAction,
  now: Date,
): Promise<Readonly<Record<string, number>> | undefined> {
  switch (action) {
    case 'pause':
      if (state === 'paused') return undefined;
      await setState(tx, scope, id, { state: 'paused', paused_reason: 'person' });
      await wakeChosen(tx, scope, id, now);
      return {};
    case 'cancel':
      if (state === 'cancelled') return undefined;
      await setState(tx, scope, id, { state: 'cancelled', paused_reason: null });
      await wakeChosen(tx, scope, id, now);
      return {};
    case 'resume':
      if (state === 'running') return undefined;
      await setState(tx, scope, id, { state: 'running', paused_reason: null, counted_from: now });
      await wakeBinding(tx, scope, id, now);
      return {};
    case 'wave':
      if (wave === undefined || wave > last)
        throw new DomainError('request.invalid', { message: 'wave: no such wave', field: 'wave' });
      return open === null || wave === open ? undefined : openTo(tx, scope, id, { wave, isBack: wave < open }, now);
    case 'retry': {
      const routers = await retry(tx, scope, id, devices, now);
      return routers === 0 ? undefined : { routers };
    }
  }
}

/**
 * Let a wave begin with all before it, and those without routers after it. Back to an earlier one that has routers, the rollout goes on only when
 * a person continues it.
 */
async function openTo(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  { wave, isBack }: { readonly wave: number; readonly isBack: boolean },
  now: Date,
): Promise<Readonly<Record<string, number>>> {
  await tx
    .updateTable('bindings')
    .set({
      wave_open: isBack ? lastWithRouters(id, wave) : wave,
      ...(isBack ? { wave_rule: 'person' as const } : {}),
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
  await wakeBinding(tx, scope, id, now, isBack ? sql`true` : sql`t.wave <= ${wave}`);
  if (!isBack) await openWavesOf(tx, id, now);
  return { wave: wave + 1 };
}

async function setState(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  columns: { readonly state: LockedRollout['state']; readonly paused_reason: 'person' | null; readonly counted_from?: Date },
): Promise<Record<string, never>> {
  await tx
    .updateTable('bindings')
    .set(columns)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
  return {};
}

async function retry(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  devices: readonly string[] | undefined,
  now: Date,
): Promise<number> {
  const chosen = devices === undefined ? undefined : [...new Set(devices.map((device) => device.toLowerCase()))];
  if (chosen !== undefined && !(await arePart(tx, scope, id, chosen))) throw new DomainError('not_found', { field: 'devices' });
  const which: Fragment = chosen === undefined ? sql`true` : sql`t.device_id in ${manyOf(chosen, 'uuid')}`;
  const state: rollouts.TargetState = 'waiting';
  const change = sql`update rollout_targets t set state = ${state}, reason = null, percent = 0, phase = 'idle', made_at = ${now}::timestamptz,
      updated_at = ${now}::timestamptz,
      due_at = case when r.presence = 'online' then ${now}::timestamptz end
    from routers r where r.id = t.router_id and t.organization_id = ${scope.organizationId}::uuid
      and t.binding_id = ${id}::uuid and t.state in ('failed', 'rolled-back') and ${which}`;
  return changeTargets(tx, { change, state: sql`c.state`, now });
}

async function arePart(tx: Tx, scope: OrganizationScope, id: string, devices: readonly string[]): Promise<boolean> {
  if (!devices.every(isId)) return false;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from rollout_targets t
    where t.organization_id = ${scope.organizationId}::uuid and t.binding_id = ${id}::uuid
      and t.device_id in ${manyOf(devices, 'uuid')}`.execute(tx);
  return rows[0]!.count === devices.length;
}
