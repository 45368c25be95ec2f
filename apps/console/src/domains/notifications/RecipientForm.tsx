import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { isEmail, tidyEmail } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { useTranslation } from '#i18n';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useSession } from '../../api/session.ts';
import '../../ui/form/form.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { HappeningFields, PeriodFields } from './EventFields.tsx';
import { GroupPicker } from './GroupPicker.tsx';
import {
  happeningsOf,
  hasNoGroup,
  isSameRecipient,
  newRecipient,
  periodsOf,
  type Subscription,
  type RecipientInput,
  recipientInputOf,
} from './notification.ts';
import { NEW, saveRecipient, subscriptionQuery } from './notifications.api.ts';

export interface RecipientFormProps {
  /** Undefined: a new recipient. */
  readonly edited: Subscription | undefined;
  readonly onSaved: (mail: string) => void;
  readonly onCancel: () => void;
  readonly onDirty: (dirty: boolean) => void;
}

/** The stored notifications of a typed address. */
function useKnown(mail: string, isNew: boolean): Subscription | undefined {
  const typed = tidyEmail(mail);
  const known = useQuery({ ...subscriptionQuery(typed), enabled: isNew && isEmail(typed) }).data;
  return isNew ? (known ?? undefined) : undefined;
}

const normalize = (input: RecipientInput): RecipientInput => ({ ...input, mail: tidyEmail(input.mail) });

/** Email, recipient, groups, expiring period and the other events; Save only with an email and a period (SVC-02). */
export function RecipientForm({ edited, onSaved, onCancel, onDirty }: RecipientFormProps): ReactNode {
  const { t } = useTranslation();
  const locale = { language: useLanguage(), zone: useZone() };
  const { email } = useSession();
  const isNew = edited === undefined;
  const form = useEntityForm<RecipientInput, string>({
    stored: isNew ? { values: newRecipient } : { values: recipientInputOf(edited), etag: edited.version },
    normalize,
    isSame: isSameRecipient,
    blocked: ({ mail, events }) => {
      if (mail.trim() === '') return t('notifications.form.emailFirst');
      return periodsOf(events).length === 0 ? t('notifications.form.periodFirst') : undefined;
    },
    validate: ({ mail }) => (isEmail(mail) ? {} : { mail: t('ui.form.format', { field: t('notifications.email') }) }),
    save: async (input, base) => {
      const version = (isNew ? known?.version : base.etag) ?? NEW;
      await saveRecipient(input, version, isNew && known === undefined ? locale : undefined);
      return input.mail;
    },
    onSaved: (mail) => {
      toast(t('notifications.form.saved', { mail }));
      onSaved(mail);
    },
    refresh: ['notifications'],
    stale: async (_error, client) => {
      // The version of a new address is that of `known`, which this loads again.
      const { mail } = normalize(form.values);
      const current = await client.fetchQuery({ ...subscriptionQuery(mail), staleTime: 0 });
      await client.invalidateQueries({ queryKey: ['notifications'] });
      const text = t('notifications.form.stale');
      if (isNew) return { values: newRecipient, text };
      return { values: current === null ? newRecipient : recipientInputOf(current), etag: current?.version ?? NEW, text };
    },
  });
  const { values, dirty, saving, set, ref } = form;
  const known: Subscription | undefined = useKnown(values.mail, isNew);
  const noGroup = edited !== undefined && hasNoGroup(edited);
  useEffect(() => {
    onDirty(dirty);
  }, [onDirty, dirty]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty || noGroup) void form.save();
  };
  return (
    <form ref={ref} className="form" noValidate aria-labelledby="recipient-form" onSubmit={submit}>
      <h2 id="recipient-form">{t(isNew ? 'notifications.form.add' : 'notifications.form.edit')}</h2>
      <TextInput
        type="email"
        label={t('notifications.email')}
        description={isNew ? t('notifications.form.hint') : undefined}
        withAsterisk={isNew}
        aria-required
        readOnly={!isNew}
        autoComplete="off"
        {...form.text('mail')}
      />
      {isNew && values.mail === '' && (
        <div>
          <Button onClick={() => set({ mail: email })}>{t('notifications.form.me')}</Button>
        </div>
      )}
      <TextInput
        label={t('notifications.recipient')}
        description={t('notifications.form.recipientHint')}
        autoComplete="off"
        maxLength={100}
        {...form.text('recipient')}
      />
      {known !== undefined && <p className="note note--warn">{t('notifications.form.known')}</p>}
      <GroupPicker
        chosen={values.groups}
        hint={noGroup ? t('notifications.groups.noneHint') : undefined}
        onChange={(groups) => set({ groups })}
      />
      <PeriodFields
        chosen={periodsOf(values.events)}
        onChange={(periods) => set({ events: [...periods, ...happeningsOf(values.events)] })}
      />
      <HappeningFields chosen={values.events} onChange={(events) => set({ events })} />
      <div className="form__actions events__actions">
        <SaveButton dirty={dirty || noGroup} saving={saving} reason={form.reason} />
        {!isNew && <Button onClick={onCancel}>{t('notifications.form.cancel')}</Button>}
        <span role="status" className="dim">
          {saving && t('notifications.form.working')}
        </span>
      </div>
    </form>
  );
}
