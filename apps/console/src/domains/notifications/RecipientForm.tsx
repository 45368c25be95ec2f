import { Button, TextInput } from '@mantine/core';
import { isEmail } from '@highline/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useShowError } from '../../api/useAction.ts';
import { showMessage } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useFocusFault } from '../../ui/form/useFocusFault.ts';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
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
  const typed = mail.trim().toLowerCase();
  const known = useQuery({ ...subscriptionQuery(typed), enabled: isNew && isEmail(typed) }).data;
  return isNew ? (known ?? undefined) : undefined;
}

/** Email, recipient, groups, expiring period and the other events; Save only with an email and a period (SVC-02). */
export function RecipientForm({ edited, onSaved, onCancel, onDirty }: RecipientFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  const locale = { language: useLanguage(), zone: useZone() };
  const base = edited === undefined ? newRecipient : recipientInputOf(edited);
  const [input, setInput] = useState(base);
  const [badEmail, setBadEmail] = useState(false);
  const [saving, setSaving] = useState(false);
  const isNew = edited === undefined;
  const known = useKnown(input.mail, isNew);
  /** The version another user saved meanwhile, after this user was informed. */
  const [seen, setSeen] = useState<string>();
  const dirty = !isSameRecipient(base, input);
  const [begun, setBegun] = useState(base);
  const noGroup = edited !== undefined && hasNoGroup(edited);
  const mail = input.mail.trim().toLowerCase();

  // Without changes, follow what other users save.
  if (!isSameRecipient(begun, base)) {
    if (isSameRecipient(begun, input)) setInput(base);
    setBegun(base);
  }
  const change = (part: Partial<RecipientInput>) => {
    const next = { ...input, ...part };
    if (part.mail !== undefined) setSeen(undefined);
    setInput(next);
    onDirty(!isSameRecipient(base, next));
  };

  const missing = (): string | undefined => {
    if (mail === '') return t('notifications.form.emailFirst');
    return periodsOf(input.events).length === 0 ? t('notifications.form.periodFirst') : undefined;
  };
  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    setBadEmail(!isEmail(mail));
    if (missing() !== undefined || !isEmail(mail)) return false;
    setSaving(true);
    try {
      const version = seen ?? (edited ?? known)?.version ?? NEW;
      await saveRecipient({ ...input, mail }, version, isNew && known === undefined ? locale : undefined);
      toast(t('notifications.form.saved', { mail }));
      setInput(base);
      onDirty(false);
      await client.invalidateQueries({ queryKey: ['notifications'] });
      onSaved(mail);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.key !== 'conflict.stale') await showError(error);
      else await showStale();
      return false;
    } finally {
      setSaving(false);
    }
  };
  /** The input stays, and is now based on the current values. */
  const showStale = async () => {
    const current = await client.fetchQuery({ ...subscriptionQuery(mail), staleTime: 0 });
    setSeen(current?.version ?? NEW);
    await client.invalidateQueries({ queryKey: ['notifications'] });
    await showMessage({ title: t('ui.dialog.warningTitle'), text: t('notifications.form.stale') });
  };
  useUnsavedChanges(dirty, save);
  const form = useFocusFault(badEmail);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving && missing() === undefined && (dirty || noGroup)) void save();
  };
  return (
    <form ref={form} className="form" noValidate aria-labelledby="recipient-form" onSubmit={submit}>
      <h2 id="recipient-form">{t(isNew ? 'notifications.form.add' : 'notifications.form.edit')}</h2>
      <TextInput
        type="email"
        label={t('notifications.email')}
        description={isNew ? t('notifications.form.hint') : undefined}
        withAsterisk={isNew}
        aria-required
        readOnly={!isNew}
        autoComplete="off"
        value={input.mail}
        error={badEmail ? t('ui.form.format', { field: t('notifications.email') }) : undefined}
        onChange={(event) => {
          setBadEmail(false);
          change({ mail: event.currentTarget.value });
        }}
      />
      <TextInput
        label={t('notifications.recipient')}
        description={t('notifications.form.recipientHint')}
        autoComplete="off"
        maxLength={100}
        value={input.recipient}
        onChange={(event) => change({ recipient: event.currentTarget.value })}
      />
      {known !== undefined && <p className="note note--warn">{t('notifications.form.known')}</p>}
      <GroupPicker
        chosen={input.groups}
        hint={noGroup ? t('notifications.groups.noneHint') : undefined}
        onChange={(groups) => change({ groups })}
      />
      <PeriodFields
        chosen={periodsOf(input.events)}
        onChange={(periods) => change({ events: [...periods, ...happeningsOf(input.events)] })}
      />
      <HappeningFields chosen={input.events} onChange={(events) => change({ events })} />
      <div className="form__actions events__actions">
        <SaveButton dirty={dirty || noGroup} saving={saving} reason={missing()} />
        {!isNew && <Button onClick={onCancel}>{t('notifications.form.cancel')}</Button>}
        <span role="status" className="dim">
          {saving && t('notifications.form.working')}
        </span>
      </div>
    </form>
  );
}
