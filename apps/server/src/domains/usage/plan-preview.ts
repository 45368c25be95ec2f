import { usagePlans as calls } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { cycleTimes } from './cycles.ts';
import { listPlanned, sumPlanned, type PlanRule } from './plans.queries.ts';
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
    before?.name,
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
  if (valid.isPool) {
    const effect = effectOf(valid, { iccid: '', device_name: '', used: sums.used }, use.allowance);
    return { use, effects: effect === undefined ? [] : [effect], total: effect === undefined ? 0 : 1 };
  }
  const least = (valid.allowance * valid.shares[0]!) / 100;
  const { rows, total } = await listPlanned(reader, scope, rule, times, { least, limit: calls.MOST_EFFECTS });
  return { use, effects: rows.flatMap((row) => effectOf(valid, row, valid.allowance) ?? []), total };
}

function effectOf(
  { shares, action, isPool }: Fields,
  { iccid, device_name: deviceName, used }: { readonly iccid: string; readonly device_name: string; readonly used: number },
  allowance: number,
): calls.PlanEffect | undefined {
  const percent = allowance === 0 ? 0 : Math.floor((used / allowance) * 1_000) / 10;
  const share = shares.findLast((each) => used * 100 >= allowance * each);
  const isCapped = used >= allowance && action !== 'mail' && !isPool && deviceName !== '';
  if (allowance === 0 || (share === undefined && !isCapped)) return undefined;
  const does = [...(share === undefined ? [] : (['mail'] as const)), ...(isCapped ? [action] : [])];
  return { iccid, deviceName, used, percent, share: share ?? 100, does };
}
