import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { PageForm } from '../../api/EntityForm.tsx';
import { Loaded } from '../../api/Loaded.tsx';
import { reload, useEntityForm } from '../../api/useEntityForm.ts';
import { PeopleLink } from '../../entities/people/PeopleLink.tsx';
import { Check } from '../../ui/Check.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { listOf, type Policy, type PolicyDraft, policyQuery, savePolicy } from './sign-in-rules.api.ts';

const IDLE = [5, 10, 15, 30, 60, 120, 240, 480, 720];
const LIFETIME = [1, 4, 8, 12, 24, 72, 168];
const HOUR = 60;
const DAY = 24;

const storedOf = (policy: Policy) => ({
  values: {
    needsFactor: policy.needsFactor,
    idleMinutes: String(policy.idleMinutes),
    lifetimeHours: String(policy.lifetimeHours),
    ranges: policy.ranges.join(', '),
    excepted: policy.excepted.join(', '),
  },
  etag: policy.version,
});

const normalize = (draft: PolicyDraft): PolicyDraft => ({
  ...draft,
  ranges: listOf(draft.ranges).join(', '),
  excepted: listOf(draft.excepted).join(', '),
});

const hoursText = (t: TFunction, hours: number) =>
  hours > DAY ? t('signInRules.days', { count: hours / DAY }) : t('signInRules.hours', { count: hours });
const minutesText = (t: TFunction, minutes: number) =>
  minutes % HOUR === 0 ? hoursText(t, minutes / HOUR) : t('signInRules.minutes', { count: minutes });

/** The usual values, and the one that is stored. */
const choices = (usual: readonly number[], stored: number, text: (value: number) => string) =>
  [...new Set([...usual, stored])].toSorted((a, b) => a - b).map((value) => ({ value: String(value), label: text(value) }));

/** Networks that exclude the own address are saved when that is confirmed. @returns false if it was not */
async function saveWithQuestion(t: TFunction, draft: PolicyDraft, etag: string | undefined): Promise<Policy | false> {
  try {
    return await savePolicy(draft, etag, false);
  } catch (error) {
    if (!(error instanceof ApiError) || error.key !== 'policy.excludes_you') throw error;
    const { address } = error.detail as { readonly address: string };
    const isSure = await confirmAction({
      title: t('signInRules.excludes'),
      text: t('signInRules.excludesText', { address }),
      yes: t('signInRules.saveAnyway'),
      no: t('ui.cancel'),
      effect: 'disruptive',
    });
    return isSure && savePolicy(draft, etag, true);
  }
}

function RulesForm({ policy }: { policy: Policy }): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<PolicyDraft, Policy>({
    stored: storedOf(policy),
    normalize,
    save: (draft, base) => saveWithQuestion(t, draft, base.etag),
    done: t('signInRules.saved'),
    refresh: ['sign-in-rules'],
    fieldOf: ({ key }) => {
      if (key === 'policy.excepted_missing') return 'excepted';
      return key === 'policy.range_invalid' ? 'ranges' : undefined;
    },
    stale: reload(policyQuery, (current) => ({ ...storedOf(current), text: t('signInRules.stale') })),
    draft: 'sign-in-rules',
  });
  const needsFactor = form.field('needsFactor');
  return (
    <PageForm form={form}>
      <div>
        <label className="check-line">
          <Check bare label={t('signInRules.factor')} checked={needsFactor.value} onChange={needsFactor.onChange} />
          {t('signInRules.factor')}
        </label>
        <p className="dim">{t('signInRules.factorHint')}</p>
        {policy.withoutFactor > 0 && (
          <p className="dim">{t('signInRules.without', { count: policy.withoutFactor, people: policy.people })}</p>
        )}
      </div>
      <NativeSelect
        data={choices(IDLE, policy.idleMinutes, (minutes) => minutesText(t, minutes))}
        {...form.text('idleMinutes')}
        label={t('signInRules.idle')}
      />
      <NativeSelect
        data={choices(LIFETIME, policy.lifetimeHours, (hours) => hoursText(t, hours))}
        {...form.text('lifetimeHours')}
        label={t('signInRules.lifetime')}
      />
      <TextInput
        autoComplete="off"
        description={t('signInRules.rangesHint', { address: policy.address })}
        {...form.text('ranges')}
        label={t('signInRules.ranges')}
      />
      {(form.values.ranges.trim() !== '' || form.values.excepted !== '') && (
        <TextInput
          autoComplete="off"
          description={t('signInRules.exceptedHint')}
          {...form.text('excepted')}
          label={t('signInRules.excepted')}
        />
      )}
    </PageForm>
  );
}

/** /sign-in-rules: the rules of the own company for the sign-in of its people (IAM-06). */
export function SignInRules(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(policyQuery);
  return (
    <div className="page">
      <PageHeader title={t('signInRules.title')} back={<PeopleLink />} />
      <div className="card panel panel--stack">
        <p className="dim">{t('signInRules.hint')}</p>
        <Loaded query={query} gone="" skeleton={<Skeleton lines={5} />}>
          {(policy) => <RulesForm policy={policy} />}
        </Loaded>
      </div>
    </div>
  );
}
