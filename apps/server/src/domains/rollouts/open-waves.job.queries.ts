// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { JOINING_WAVE, LAST_WAVE } from './waves.store.ts';

/** A rollout whose next wave may begin. */
export interface OpenedWave
  extends Row<'bindings', 'id' | 'organization_id' | 'group_key' | 'kind' | 'label'>, Row<'organizations', 'main_account_id'> {
  readonly wave_open: number;
  readonly last: number;
}

/** A rollout of which so many canaries cannot try the file. */
export interface RolloutWithoutCanaries
  extends Row<'bindings', 'id' | 'organization_id'>, Row<'organizations', 'main_account_id'> {
  readonly canaries: number;
}

/**
 * Let the next wave of rollouts begin where their rule is met: its routers are successful, or none failed for so many hours after the last
 * success. What decides is stored, so it is the same on every node and after a crash. A wave without routers that have the command is passed over
 * under every rule, a person's included, if it is not the first.
 * @param which condition on `bindings b`
 */
export async function openDueWaves(tx: Tx, which: Fragment, now: Date): Promise<OpenedWave[]> {
  const inWave = (condition: Fragment) => sql`exists (select 1 from rollout_targets t
    where t.binding_id = b.id and t.wave = b.wave_open and t.state <> 'unsupported' and ${condition})`;
  const { rows } = await sql<OpenedWave>`update bindings b set wave_open = b.wave_open + 1 from organizations o
    where o.id = b.organization_id and b.ended_at is null and b.state = 'running'
      and b.wave_open < ${LAST_WAVE} and ${which}
      and case when not ${inWave(sql`true`)} then b.wave_open > 0
        when b.wave_rule = 'person' then false
        when b.wave_rule = 'success' then not ${inWave(sql`t.state <> 'successful'`)}
        else not ${inWave(sql`t.state in ('failed', 'rolled-back', 'downloading', 'verifying', 'applying', 'rebooting')`)}
          and (select t.updated_at from rollout_targets t where t.binding_id = b.id and t.wave = b.wave_open and t.state = 'successful'
            order by t.updated_at desc limit 1) <= ${now}::timestamptz - b.wave_hours * interval '1 hour' end
    returning b.id, b.organization_id, o.main_account_id, b.group_key, b.kind, b.label, b.wave_open, ${LAST_WAVE} as last`.execute(
    tx,
  );
  return rows;
}

/**
 * Canaries that have no command for the file are none any more, unless they were named or others already follow; with waves they are of the last one.
 * @param which condition on `bindings b`
 * @returns of which rollouts, and how many
 */
export async function dropUnsupportedCanaries(tx: Tx, which: Fragment): Promise<RolloutWithoutCanaries[]> {
  const { rows } =
    await sql<RolloutWithoutCanaries>`with t as (update rollout_targets t set is_canary = false, wave = ${JOINING_WAVE} from bindings b
      where b.id = t.binding_id and b.ended_at is null and b.wave_first is null and coalesce(b.wave_open, 0) = 0 and t.is_canary and t.state = 'unsupported' and ${which}
      returning t.binding_id)
    select b.id, b.organization_id, o.main_account_id, count(*)::int as canaries
    from t join bindings b on b.id = t.binding_id join organizations o on o.id = b.organization_id group by 1, 2, 3`.execute(tx);
  return rows;
}
