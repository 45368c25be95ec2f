import { alerts, isEmail } from '@highline/contract';
import type { TFunction } from 'i18next';
import type { Faults } from '../../api/useFaults.ts';
import { actionFaults } from './ActionFields.tsx';
import { addressesOf, hasNoTime, needsTime, numberOf } from './rule-draft.ts';
import { type RuleDraft } from './empty-draft.ts';
import { invalidOf } from './test-draft.ts';

export function faultsOf(draft: RuleDraft, t: TFunction): Faults<RuleDraft> {
  const { kind, operator, minutes, days } = draft;
  const [threshold, clear, time] = [numberOf(draft.threshold), numberOf(draft.clear), numberOf(minutes)];
  const isContradiction = operator === 'above' ? clear > threshold : clear < threshold;
  const isReading = kind === 'reading';
  const most = alerts.LONGEST_FOR_SECONDS / 60;
  const isTimeWrong = !hasNoTime(kind) && !(time >= (needsTime(kind) ? 1 : 0) && time <= most);
  const isDaysWrong =
    kind === 'subscription-ends' && !(Number.isInteger(numberOf(days)) && numberOf(days) >= 1 && numberOf(days) <= 365);
  return {
    threshold: isReading && Number.isNaN(threshold) ? t('alerts.form.number') : undefined,
    clear: !isReading || draft.clear.trim() === '' ? undefined : clearFault(clear, isContradiction, operator, t),
    megabytes:
      kind === 'data-use' &&
      !(Number.isInteger(numberOf(draft.megabytes)) && numberOf(draft.megabytes) >= 1 && numberOf(draft.megabytes) <= 1e8)
        ? t('alerts.form.megabytesRange')
        : undefined,
    minutes: isTimeWrong ? t('alerts.form.minutesRange') : undefined,
    days: isDaysWrong ? t('alerts.form.daysRange') : undefined,
    losses: kind === 'connection-lost' ? rangeFault(draft.losses, 2, 100, t) : undefined,
    lossMinutes: kind === 'connection-lost' ? rangeFault(draft.lossMinutes, 5, 120, t) : undefined,
    test: kind === 'test' && invalidOf(draft.test) !== undefined ? t('alerts.test.invalid') : undefined,
    slowerThan: kind === 'test' && draft.slowerThan.trim() !== '' ? rangeFault(draft.slowerThan, 1, 60_000, t) : undefined,
    ...peopleFaults(draft, t),
    ...actionFaults(draft, t),
    group: draft.scopeKind === 'group' && draft.group === '' ? t('alerts.form.choose') : undefined,
    tag: draft.scopeKind === 'tag' && draft.tag === '' ? t('alerts.form.choose') : undefined,
    view: viewFault(draft, t),
  };
}

function viewFault({ kind, scopeKind, view }: RuleDraft, t: TFunction): string | undefined {
  if (scopeKind !== 'view') return undefined;
  if (kind === 'test') return t('alerts.test.noView');
  return view === '' ? t('alerts.form.choose') : undefined;
}

function rangeFault(text: string, least: number, most: number, t: TFunction): string | undefined {
  const value = numberOf(text);
  return Number.isInteger(value) && value >= least && value <= most ? undefined : t('alerts.form.range', { least, most });
}

const MOST_MINUTES = 1_440;

function peopleFaults(draft: RuleDraft, t: TFunction): Faults<RuleDraft> {
  const { escalates } = draft;
  const minutes = numberOf(draft.afterMinutes);
  const isMinutes = Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES;
  return {
    mails: addressFault(addressesOf(draft.mails), t),
    afterMinutes: escalates && !isMinutes ? t('alerts.form.escalationRange') : undefined,
    escalationMails: escalates
      ? draft.escalationMails.trim() === '' && draft.escalationWebhooks.length === 0
        ? t('alerts.form.addressMissing')
        : addressFault(addressesOf(draft.escalationMails), t)
      : undefined,
  };
}

function addressFault(addresses: readonly string[], t: TFunction): string | undefined {
  const wrong = addresses.find((address) => !isEmail(address));
  if (wrong !== undefined) return t('alerts.form.noAddress', { text: wrong });
  return addresses.length > alerts.MOST_PEOPLE ? t('alerts.form.tooManyAddresses', { most: alerts.MOST_PEOPLE }) : undefined;
}

function clearFault(clear: number, isContradiction: boolean, operator: 'above' | 'below', t: TFunction): string | undefined {
  if (Number.isNaN(clear)) return t('alerts.form.number');
  return isContradiction ? t(`alerts.form.contradicts.${operator}`) : undefined;
}
