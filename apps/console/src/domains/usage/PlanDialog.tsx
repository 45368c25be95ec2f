import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useAction } from '../../api/useAction.ts';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { sentences } from '../../ui/sentences.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { commandsQuery } from '../../entities/commands/command.api.ts';
import { faultsOf } from './plan-faults.ts';
import { monthQuery } from './usage.api.ts';
import {
  draftOf,
  newPlan,
  type Plan,
  type PlanDraft,
  type PlanFields,
  type Preview,
  previewPlan,
  savePlan,
} from './plans.api.ts';

type StoredPlan = PlanFields & Pick<Plan, 'version'>;
const storedOf = (plan: StoredPlan) => ({ values: draftOf(plan), etag: String(plan.version) });

/** A plan: its cycle, allowance, cost, SIMs, shares and action, and what it would do now (USE-03). */
export function PlanDialog({
  plan,
  onClose,
  onSaved,
}: {
  plan?: Plan | undefined;
  onClose: () => void;
  onSaved: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const commands = useQuery(commandsQuery).data ?? [];
  const [found, setFound] = useState<{ readonly of: PlanDraft; readonly preview: Preview }>();
  const form = useEntityForm<PlanDraft, string>({
    stored: plan === undefined ? { values: newPlan } : storedOf(plan),
    leave: 'free',
    required: { name: t('usage.plan.name'), allowance: t('usage.plan.allowance'), shares: t('usage.plan.shares') },
    validate: (draft) => faultsOf(draft, t),
    fieldOf: ({ key, field }) => (key?.startsWith('plan.') === true || key === 'command.not_found' ? field : undefined),
    save: (draft, { etag }) => savePlan(draft, plan && { id: plan.id, version: Number(etag) }),
    refresh: ['usage'],
    onSaved,
    stale: readDetail((current: StoredPlan) => ({ ...storedOf(current), text: t('ui.form.stale', { name: current.name }) })),
  });
  const preview = useAction<PlanDraft, Preview>({
    run: (draft) => previewPlan(draft, plan),
    onDone: (result, of) => setFound({ of, preview: result }),
  });
  const zone = useQuery(monthQuery({})).data?.zone ?? 'UTC';
  const days = Array.from({ length: 31 }, (_, index) => String(index + 1));
  return (
    <EntityDialog
      form={form}
      title={plan === undefined ? t('usage.plan.add') : t('usage.plan.edit', { name: plan.name })}
      submit={t('usage.plan.save')}
      onClose={onClose}
      wide
    >
      <TextInput maxLength={80} autoComplete="off" {...form.text('name')} />
      <div className="usage-fields">
        <NativeSelect
          label={t('usage.plan.cycleDay')}
          description={t('usage.plan.cycleDayHint', { zone })}
          data={days}
          {...form.text('cycleDay')}
        />
        <TextInput inputMode="decimal" description={t('usage.plan.allowanceHint')} {...form.text('allowance')} />
        <NativeSelect
          label={t('usage.plan.pool')}
          data={[
            { value: 'own', label: t('usage.plan.own') },
            { value: 'pool', label: t('usage.plan.shared') },
          ]}
          {...form.text('pool')}
        />
        <TextInput
          label={t('usage.plan.cost')}
          description={t('usage.plan.costHint')}
          inputMode="decimal"
          {...form.text('costPerGb')}
        />
        <TextInput label={t('usage.plan.currency')} maxLength={3} placeholder="USD" {...form.text('currency')} />
        <NativeSelect
          label={t('usage.plan.sims')}
          data={(['chosen', 'carrier', 'all'] as const).map((value) => ({ value, label: t(`usage.plan.target.${value}`) }))}
          {...form.text('appliesTo')}
        />
        {form.values.appliesTo === 'carrier' && (
          <TextInput
            label={t('usage.plan.carrier')}
            description={t('usage.plan.firstCarrier')}
            maxLength={100}
            {...form.text('carrier')}
          />
        )}
      </div>
      <TextInput description={t('usage.plan.sharesHint')} {...form.text('shares')} />
      <NativeSelect
        label={t('usage.plan.action')}
        description={t('usage.plan.actionHint')}
        data={(['mail', 'command', 'profile'] as const).map((value) => ({ value, label: t(`usage.plan.does.${value}`) }))}
        {...form.text('action')}
      />
      {form.values.action === 'command' && (
        <NativeSelect
          label={t('usage.plan.command')}
          data={[{ value: '', label: '' }, ...commands.map(({ id, name }) => ({ value: id, label: name }))]}
          {...form.text('command')}
        />
      )}
      <div>
        <Button type="button" loading={preview.busy} onClick={() => form.check() && preview.run(form.values)}>
          {t('usage.plan.preview')}
        </Button>
      </div>
      {found?.of === form.values && <Effects preview={found.preview} />}
    </EntityDialog>
  );
}

/** What a plan would do now: a dry run. */
function Effects({ preview: { use, effects, total } }: { preview: Preview }): ReactNode {
  const { t } = useTranslation();
  return (
    <section className="usage-effects" aria-live="polite">
      <p>
        {sentences([
          use.forecast === null
            ? t('usage.plan.wouldHaveSoFar', { count: use.sims, used: formatBytes(use.used) })
            : t('usage.plan.wouldHave', { count: use.sims, used: formatBytes(use.used), forecast: formatBytes(use.forecast) }),
          total === 0 ? t('usage.plan.noEffect') : t('usage.plan.effects', { count: total }),
        ])}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling list must be reachable by keyboard */}
      <ul tabIndex={0} aria-label={t('usage.plan.preview')}>
        {effects.map(({ iccid, deviceName, percent, used, does }) => (
          <li key={iccid}>
            <span className="mono">{iccid === '' ? t('usage.plan.shared') : iccid}</span> {deviceName} · {formatBytes(used)} ·{' '}
            {percent}% · {does.map((each) => t(`usage.plan.does.${each}`)).join(t('ui.between'))}
          </li>
        ))}
      </ul>
    </section>
  );
}
