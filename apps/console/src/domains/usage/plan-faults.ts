import type { TFunction } from 'i18next';
import type { Faults } from '../../api/useFaults.ts';
import { fieldsOf, type PlanDraft } from './plans.api.ts';

const MOST_BYTES = 1e15;
const MOST_COST = 1_000_000;
const MOST_SHARES = 6;
const MOST_PERCENT = 500;

const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;

/** What of a plan was typed wrong, by field. */
export function faultsOf(draft: PlanDraft, t: TFunction): Faults<PlanDraft> {
  const { allowance, costPerGb, currency, shares, appliesTo, carrier, action, command } = fieldsOf(draft);
  const isCost = costPerGb === null || (isWithin(costPerGb, 0, MOST_COST) && Number(costPerGb.toFixed(4)) === costPerGb);
  const isCurrency = /^[A-Z]{3}$/u.test(currency) || (currency === '' && costPerGb === null);
  const areShares =
    isWithin(shares.length, 1, MOST_SHARES) &&
    shares.every((share) => Number.isInteger(share) && isWithin(share, 1, MOST_PERCENT));
  return {
    allowance: isWithin(allowance, 1, MOST_BYTES) ? undefined : t('usage.plan.wrong.allowance'),
    costPerGb: isCost ? undefined : t('usage.plan.wrong.cost'),
    currency: isCurrency ? undefined : t('usage.plan.wrong.currency'),
    carrier: appliesTo === 'carrier' && carrier === '' ? t('ui.form.required', { field: t('usage.plan.carrier') }) : undefined,
    shares: areShares ? undefined : t('usage.plan.wrong.shares'),
    command: action === 'command' && command === null ? t('usage.plan.wrong.command') : undefined,
  };
}
