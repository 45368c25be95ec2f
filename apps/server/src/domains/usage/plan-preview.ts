import { usagePlans as calls } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { cycleTimes, type CycleTimes } from './cycles.ts';
import { listPlanned, listPlannedPool, sumPlanned, type DueEffect, type PlanRule } from './plans.queries.ts';
import { type PlanDeps, type Fields, toUse, validatePlan, oneOf } from './plans.service.ts';
import { selectPlans } from './plans.store.ts';
import { readToday } from './zones.queries.ts';

/** What a plan would do if it applied now; nothing is written (USE-03). @throws DomainError as `addPlan` */
export async function previewPlan(
  { database, clock, reader }: PlanDeps & { readonly reader: Reader },
  scope: OrganizationScope,
  actor: Actor,
  { plan, ...fields }: Fields & { readonly plan: string | null },
): Promise<{ use: calls.UsagePlan['use']; effects: calls.PlanEffect[]; total: number }> {
  const now = clock.now();
  const all = await selectPlans(database.read, scope);
  const before = plan === null ? undefined : oneOf(all, plan);
  const id = before?.id ?? null;
  const valid = await validatePlan(
    database.read,
    scope,
    actor,
    fields,
    all.filter((other) => other.id !== id),
    before,
  );
  const rule: PlanRule = {
    id,
    cycle_day: valid.cycleDay,
    allowance: valid.allowance,
    applies_to: valid.appliesTo,
    carrier: valid.carrier,
  };
  const { today, zone } = await readToday(database.read, scope, now);
  const times = cycleTimes(valid.cycleDay, today, zone);
  const sums = await sumPlanned(reader, scope, rule, times);
  const use = toUse(valid, sums, times, now);
  const { rows, total } = await listEffects(reader, scope, valid, rule, times, { used: sums.used, allowance: use.allowance });
  return { use, effects: rows.map((row) => toEffect(valid, row, valid.isPool ? use.allowance : valid.allowance)), total };
}

async function listEffects(
  reader: Reader,
  scope: OrganizationScope,
  { isPool, shares, action }: Fields,
  rule: PlanRule,
  times: CycleTimes,
  pool: { readonly used: number; readonly allowance: number },
) {
  if (!isPool) {
    const due = action === 'mail' ? shares : [0, ...shares];
    return listPlanned(reader, scope, rule, times, { shares: due, limit: calls.MOST_EFFECTS });
  }
  // Without a SIM it has no allowance.
  if (pool.allowance === 0) return { rows: [], total: 0 };
  return listPlannedPool(reader, scope, pool.used, { id: rule.id, allowance: pool.allowance, shares, from: times.from });
}

function toEffect(
  { action }: Fields,
  { iccid, device_name: deviceName, used, due }: DueEffect,
  allowance: number,
): calls.PlanEffect {
  const percent = Math.floor((used / allowance) * 1_000) / 10;
  const share = due.at(-1)!;
  const does = [...(share > 0 ? (['mail'] as const) : []), ...(due[0] === 0 ? [action] : [])];
  return { iccid, deviceName, used, percent, share: share === 0 ? 100 : share, does };
}
