import { sql } from 'kysely';

import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { firstOrder, namedFirst } from './first-wave.queries.ts';
import { isUnsuited } from './impact.queries.ts';
import type { WaveRules } from './waves.ts';

/** Number of the last wave of a binding `b`. */
export const LAST_WAVE = sql<number>`(cardinality(b.wave_shares) + case when b.canaries > 0 or b.wave_first is not null then 1 else 0 end)`;

/** The wave of a router that gets its target of a binding `b` now, unless it is chosen for an earlier one. */
export const JOINING_WAVE = sql`case when b.wave_open is null then 0 else ${LAST_WAVE} end`;

/** Whether a router of a binding `b` cannot be given its file. */
const UNSUITED = sql`case b.kind when 'firmware' then ${isUnsuited('firmware', sql`f.profile`)}
  when 'config' then ${isUnsuited('config')} else false end`;

/** Choose the routers that go first by their condition (`firstOrder`); those that have the file need not. @returns how many */
export async function chooseCanaries(
  tx: Tx,
  scope: OrganizationScope,
  bindingId: string,
  count: number,
  now: Date,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update rollout_targets t set is_canary = true, wave = 0
    where t.binding_id = ${bindingId}::uuid and t.device_id in (
      select c.device_id from rollout_targets c join devices d on d.organization_id = c.organization_id and d.id = c.device_id
        join routers r on r.id = c.router_id join bindings b on b.id = c.binding_id left join firmware f on f.id = b.firmware_id
      where c.organization_id = ${scope.organizationId}::uuid and c.binding_id = ${bindingId}::uuid
        and c.state = 'waiting' and not c.is_canary
      order by ${firstOrder(UNSUITED, now)} limit ${count})`.execute(tx);
  return Number(numAffectedRows);
}

/** Let the named routers of a binding go first. @returns how many of them it has */
export async function chooseFirst(
  tx: Tx,
  scope: OrganizationScope,
  bindingId: string,
  first: NonNullable<WaveRules['first']>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update rollout_targets t set is_canary = true, wave = 0 from devices d
    where t.organization_id = ${scope.organizationId}::uuid and t.binding_id = ${bindingId}::uuid
      and d.organization_id = t.organization_id and d.id = t.device_id and ${namedFirst(first)}`.execute(tx);
  return Number(numAffectedRows);
}

/** Write how many routers of a binding go first. */
export async function setCanaries(tx: Tx, scope: OrganizationScope, bindingId: string, canaries: number): Promise<void> {
  await tx
    .updateTable('bindings')
    .set({ canaries })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', bindingId)
    .execute();
}

/** Divide the routers that do not go first among the waves, in an order that has nothing to do with when they were added. */
export async function divideIntoWaves(tx: Tx, scope: OrganizationScope, bindingId: string, { shares }: WaveRules): Promise<void> {
  if (shares.length === 0) return;
  await sql`update rollout_targets t set wave = case when b.canaries > 0 then 1 else 0 end
      + (select count(*) from unnest(b.wave_shares) s where ceil(n.total * s / 100.0) < n.turn)
    from bindings b, (
      select c.device_id, row_number() over (order by md5(c.device_id::text)) as turn, count(*) over () as total
      from rollout_targets c
      where c.organization_id = ${scope.organizationId}::uuid and c.binding_id = ${bindingId}::uuid
        and not c.is_canary and c.state <> 'successful') n
    where b.id = t.binding_id and t.binding_id = ${bindingId}::uuid and t.device_id = n.device_id`.execute(tx);
}

/** Let a binding without a router in its first wave begin with all: there is nothing to wait for. */
export async function openIfFirstIsEmpty(tx: Tx, scope: OrganizationScope, bindingId: string): Promise<void> {
  await sql`update bindings b set wave_open = ${LAST_WAVE}
    where b.organization_id = ${scope.organizationId}::uuid and b.id = ${bindingId}::uuid
      and not exists (select 1 from rollout_targets t where t.binding_id = b.id and t.wave = 0)`.execute(tx);
}

/** The last wave of a binding up to this one that has routers with the command for its file; 0 if none has. */
export const lastWithRouters = (
  bindingId: string,
  wave: number,
) => sql<number>`coalesce((select max(t.wave) from rollout_targets t
  where t.binding_id = ${bindingId}::uuid and t.wave <= ${wave} and t.state <> 'unsupported'), 0)`;
