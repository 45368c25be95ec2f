import { actionLimits, alerts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { Faults } from '../../api/useFaults.ts';
import type { EntityForm } from '../../api/entity-form.ts';
import { WindowSelect } from '../../entities/commands/WindowSelect.tsx';
import { commandsQuery } from '../../entities/commands/command.api.ts';
import { Check } from '../../ui/Check.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { CalledWebhook, choicesOf } from './ChannelChoice.tsx';
import { type RuleDraft } from './empty-draft.ts';
import { numberOf } from './rule-draft.ts';
import { invalidOf } from './test-draft.ts';
import { TestFields } from './TestFields.tsx';

const limited = ['cooldownMinutes', 'atOnce', 'perDay'] as const;

/** The faults of what a rule does by itself. */
export function actionFaults(draft: RuleDraft, t: TFunction): Faults<RuleDraft> {
  if (!draft.acts) return {};
  const outside = (field: (typeof limited)[number]) => {
    const { least, most } = actionLimits[field];
    const value = numberOf(draft[field]);
    const isWithin = Number.isInteger(value) && value >= least && value <= most;
    return isWithin ? undefined : t('alerts.action.range', { least: formatNumber(least), most: formatNumber(most) });
  };
  return {
    command: draft.does === 'command' && draft.command === '' ? t('alerts.form.choose') : undefined,
    calledWebhook: draft.does === 'webhook' && draft.calledWebhook === '' ? t('alerts.form.choose') : undefined,
    testWhenFired: draft.does === 'test' && invalidOf(draft.testWhenFired) !== undefined ? t('alerts.test.invalid') : undefined,
    cooldownMinutes: outside('cooldownMinutes'),
    atOnce: outside('atOnce'),
    perDay: outside('perDay'),
  };
}

/** What the rule does by itself with the vehicle of each alert, off by default, and its limits (WIN-03). */
export function ActionFields({ form }: { form: EntityForm<RuleDraft> }): ReactNode {
  const { t } = useTranslation();
  const { acts, does, command, dryRun } = form.values;
  const commands = useQuery({ ...commandsQuery, enabled: acts }).data ?? [];
  return (
    <fieldset className="rule-part">
      <legend>{t('alerts.action.title')}</legend>
      <Check label={t('alerts.action.acts')} checked={acts} onChange={(checked) => form.set({ acts: checked })} />
      {acts && (
        <>
          <div className="form__pair">
            <NativeSelect
              label={t('alerts.action.does')}
              data={alerts.ruleDoesKinds.map((kind) => ({ value: kind, label: t(`alerts.actions.does.${kind}`) }))}
              value={does}
              onChange={(event) => form.set({ does: event.currentTarget.value as RuleDraft['does'] })}
            />
            {does === 'command' && (
              <NativeSelect label={t('alerts.action.command')} data={choicesOf(commands, command, t)} {...form.text('command')} />
            )}
            {does === 'send' && (
              <NativeSelect
                label={t('alerts.action.send')}
                data={alerts.sentByRules.map((kind) => ({ value: kind, label: t(`alerts.action.sends.${kind}`) }))}
                {...form.text('send')}
              />
            )}
            {does === 'webhook' && <CalledWebhook form={form} />}
          </div>
          {does === 'test' && <TestFields {...form.field('testWhenFired')} />}
          {(does === 'send' || does === 'command' || does === 'profile') && (
            <WindowSelect value={form.values.window} onChange={(window) => form.set({ window })} />
          )}
          {does === 'command' && <p className="dim">{t('alerts.action.commandHint')}</p>}
          <div className="form__pair">
            <TextInput label={t('alerts.action.cooldown')} inputMode="numeric" maxLength={6} {...form.text('cooldownMinutes')} />
            <TextInput label={t('alerts.action.atOnce')} inputMode="numeric" maxLength={6} {...form.text('atOnce')} />
            <TextInput label={t('alerts.action.perDay')} inputMode="numeric" maxLength={6} {...form.text('perDay')} />
          </div>
          <Check label={t('alerts.action.dryRun')} checked={dryRun} onChange={(checked) => form.set({ dryRun: checked })} />
          <p className="dim">
            {t('alerts.action.hint')}{' '}
            <Link to="/alerts/actions" search={{}}>
              {t('alerts.actions.title')}
            </Link>
          </p>
        </>
      )}
    </fieldset>
  );
}
