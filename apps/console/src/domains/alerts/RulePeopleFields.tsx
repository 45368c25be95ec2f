import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Check } from '../../ui/Check.tsx';
import { TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { TestMailButton } from '../notifications/index.ts';
import { ChannelChoice } from './ChannelChoice.tsx';
import type { Form } from './RuleScopeFields.tsx';
import { addressesOf } from './rule-draft.ts';

/** Whom the rule informs, when not, and who follows when no one acknowledges (ALR-05). */
export function PeopleFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { email } = useSession();
  const { escalates, isQuiet, zone, mails, firstAdmin, ends } = form.values;
  return (
    <fieldset className="rule-part">
      <legend>{t('alerts.form.people')}</legend>
      <Textarea
        label={t('alerts.form.mails')}
        description={t('alerts.form.mailsHint')}
        rows={2}
        maxLength={4_000}
        {...form.text('mails')}
      />
      <div className="rule-channel">
        {!addressesOf(mails).includes(email) && (
          <ActionButton onClick={() => form.set({ mails: [mails.trim(), email].filter((part) => part !== '').join('\n') })}>
            {t('alerts.form.ownAddress')}
          </ActionButton>
        )}
        <TestMailButton />
      </div>
      <Check label={t('alerts.form.firstAdmin')} checked={firstAdmin} onChange={(checked) => form.set({ firstAdmin: checked })} />
      <Check label={t('alerts.form.ends')} checked={ends} onChange={(checked) => form.set({ ends: checked })} />
      <ChannelChoice
        label={t('alerts.form.webhooks')}
        chosen={form.values.webhooks}
        onChange={(webhooks) => form.set({ webhooks })}
      />
      <Check label={t('alerts.form.escalates')} checked={escalates} onChange={(checked) => form.set({ escalates: checked })} />
      {escalates && (
        <>
          <TextInput label={t('alerts.form.afterMinutes')} inputMode="numeric" maxLength={4} {...form.text('afterMinutes')} />
          <Textarea label={t('alerts.form.escalationMails')} rows={2} maxLength={4_000} {...form.text('escalationMails')} />
          <ChannelChoice
            label={t('alerts.form.escalationWebhooks')}
            chosen={form.values.escalationWebhooks}
            onChange={(escalationWebhooks) => form.set({ escalationWebhooks })}
          />
        </>
      )}
      <Check label={t('alerts.form.isQuiet')} checked={isQuiet} onChange={(checked) => form.set({ isQuiet: checked })} />
      {isQuiet && (
        <div className="form__pair">
          <TextInput type="time" label={t('alerts.form.quietFrom', { zone })} {...form.text('quietFrom')} />
          <TextInput type="time" label={t('alerts.form.quietUntil')} {...form.text('quietUntil')} />
        </div>
      )}
    </fieldset>
  );
}
