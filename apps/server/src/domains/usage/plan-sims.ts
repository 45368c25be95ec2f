import { usagePlans as calls } from '@highline/contract';
import { normalizeIccid } from '@highline/usp';
import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { sentence } from '../logs/index.ts';
import { type PlanDeps, rejectAction, oneOf, recordPlan } from './plans.service.ts';
import { chooseFor, lockPlans, takeFrom, touchPlan } from './plans.store.ts';

/**
 * Choose a plan for SIMs, or take it from them. @returns how many SIMs were named
 * @throws DomainError `plan.not_found`, `request.invalid` for what is no ICCID, `plan.too_many_sims`, `permission.denied`, `key.not_allowed`
 */
export async function assignSims(
  { database, clock }: PlanDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { iccids, remove = false }: { readonly iccids: readonly string[]; readonly remove?: boolean | undefined },
): Promise<number> {
  const named = [...new Set(iccids.map(readIccid))];
  const now = clock.now();
  await database.write(async (tx) => {
    const plan = oneOf(await lockPlans(tx, scope), id);
    if (!remove) rejectAction(actor, plan.action);
    // Before its SIMs, as the job that matches them does: neither waits for the other.
    await touchPlan(tx, scope, plan.id, now);
    if (remove) await takeFrom(tx, scope, plan.id, named);
    else if ((await chooseFor(tx, scope, plan.id, named)) > calls.MOST_SIMS) throw new DomainError('plan.too_many_sims');
    const action = sentence(remove ? 'plan.taken' : 'plan.chosen', plan.name, named.length);
    await recordPlan(tx, scope, actor, { id: plan.id, action, detail: { sims: named.length, first: named.slice(0, 20) } }, now);
  });
  return named.length;
}

function readIccid(text: string, index: number): string {
  const iccid = normalizeIccid(text);
  if (iccid === undefined)
    throw new DomainError('request.invalid', { message: `iccids.${index}: is not an ICCID`, field: `iccids.${index}` });
  return iccid;
}
