import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { EntityForm } from '../../api/entity-form.ts';
import { useAction } from '../../api/useAction.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Check } from '../../ui/Check.tsx';
import { toast } from '../../ui/toasts.ts';
import { type Webhook, testWebhook, webhookChoices } from '../webhooks/index.ts';
import type { RuleDraft } from './empty-draft.ts';

/** The entries of a select for one of these, and for one that was chosen and is gone. */
export const choicesOf = (items: readonly { readonly id: string; readonly name: string }[], chosen: string, t: TFunction) => [
  { value: '', label: t('alerts.form.choose') },
  ...items.map(({ id: value, name: label }) => ({ value, label })),
  ...(chosen === '' || items.some(({ id }) => id === chosen) ? [] : [{ value: chosen, label: t('alerts.rules.missing') }]),
];

/** The webhook that a rule calls by itself (WIN-03). */
export function CalledWebhook({ form }: { form: EntityForm<RuleDraft> }): ReactNode {
  const { t } = useTranslation();
  const webhooks = useQuery(webhookChoices).data ?? [];
  return (
    <NativeSelect
      label={t('alerts.action.webhook')}
      data={choicesOf(webhooks, form.values.calledWebhook, t)}
      {...form.text('calledWebhook')}
    />
  );
}

interface ChannelChoiceProps {
  readonly label: string;
  /** Ids of webhooks. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** The webhooks that a rule informs, each with its state and a test (ALR-05). */
export function ChannelChoice({ label, chosen, onChange }: ChannelChoiceProps): ReactNode {
  const { t } = useTranslation();
  const webhooks = useQuery(webhookChoices).data;
  if (webhooks === undefined) return null;
  const gone = chosen.filter((id) => !webhooks.some((webhook) => webhook.id === id));
  const set = (id: string, isOn: boolean) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset className="rule-part">
      <legend>{label}</legend>
      {webhooks.length === 0 && gone.length === 0 && <p className="dim">{t('alerts.form.noWebhooks')}</p>}
      {webhooks.map((webhook) => (
        <Channel
          key={webhook.id}
          webhook={webhook}
          isChosen={chosen.includes(webhook.id)}
          onChange={(isOn) => set(webhook.id, isOn)}
        />
      ))}
      {gone.map((id) => (
        <Check key={id} label={t('alerts.rules.missing')} checked onChange={() => set(id, false)} />
      ))}
    </fieldset>
  );
}

interface ChannelProps {
  readonly webhook: Webhook;
  readonly isChosen: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Channel({ webhook, isChosen, onChange }: ChannelProps): ReactNode {
  const { t } = useTranslation();
  const { name, format, state } = webhook;
  const test = useAction<void, Awaited<ReturnType<typeof testWebhook>>>({
    run: () => testWebhook(webhook),
    onDone: ({ state: outcome, error }) =>
      outcome === 'delivered'
        ? toast(t('alerts.form.tested', { name }))
        : toast(t('alerts.form.testFailed', { name, error }), 'bad'),
  });
  return (
    <div className="rule-channel">
      <Check label={`${name} · ${t(`webhooks.format.${format}`)}`} checked={isChosen} onChange={onChange} />
      {state !== 'active' && <span className="bad">{t(`webhooks.state.${state}`)}</span>}
      {isChosen && (
        <ActionButton loading={test.busy} onClick={() => test.run()} label={`${t('alerts.form.sendTest')}: ${name}`}>
          {t('alerts.form.sendTest')}
        </ActionButton>
      )}
    </div>
  );
}
