import { nameKey } from '../text.ts';
import type { PlanFields } from './usage-plans.ts';

/** The plan among others that applies to the same SIMs: those of the same carrier, or all others. SIMs have the plan that was added first. */
export function findSameSims<Plan extends Pick<PlanFields, 'appliesTo' | 'carrier'>>(
  { appliesTo, carrier }: Pick<PlanFields, 'appliesTo' | 'carrier'>,
  others: readonly Plan[],
): Plan | undefined {
  const isSame = (other: Plan) =>
    other.appliesTo === appliesTo && (appliesTo === 'all' || nameKey(other.carrier) === nameKey(carrier));
  return appliesTo === 'chosen' ? undefined : others.find(isSame);
}
