import { isEmail } from '@highline/contract';
import { TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useLanguage } from '../../ui/language.ts';
import { toast } from '../../ui/toasts.ts';
import { inviteColleague, type NewColleague } from './colleagues.api.ts';

const empty: NewColleague = { name: '', email: '' };

/** Name and email address of a colleague, who is invited by email. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }): ReactNode {
  const { t } = useTranslation();
  const { email: own } = useSession();
  const errorText = useErrorText();
  const language = useLanguage();
  const [typed, setTyped] = useState(empty);
  const [badEmail, setBadEmail] = useState<string>();
  /** Fields that were left empty. */
  const [left, setLeft] = useState<{ readonly name?: boolean; readonly email?: boolean }>({});
  const emailInput = useRef<HTMLInputElement>(null);
  /** Shown at the field, where it can be corrected. */
  const reject = (reason: string) => {
    setBadEmail(reason);
    emailInput.current?.focus();
  };
  const add = useAction<NewColleague, void>({
    run: (input) => inviteColleague(input, language),
    onDone: (_, { email }) => {
      toast(t('users.add.done', { email: email.trim().toLowerCase() }));
      onAdded();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.key !== 'account.exists') return false;
      reject(errorText(error));
      return true;
    },
  });
  const filled = typed.name.trim() !== '' && typed.email.trim() !== '';
  const submit = () => {
    if (!filled || add.busy) return;
    if (isEmail(typed.email) && typed.email.trim().toLowerCase() !== own) add.run(typed);
    else reject(t(isEmail(typed.email) ? 'colleagues.add.isSelf' : 'users.add.badEmail'));
  };
  const missing = (field: keyof NewColleague) =>
    left[field] === true && typed[field].trim() === ''
      ? t('ui.form.required', { field: t(`colleagues.add.${field}`) })
      : undefined;
  return (
    <FormDialog
      title={t('colleagues.add.title')}
      submit={t('colleagues.add.submit')}
      busy={add.busy}
      disabledReason={filled ? undefined : t('users.add.bothFirst')}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="dim">{t('colleagues.add.means')}</p>
      <TextInput
        label={t('colleagues.add.name')}
        withAsterisk
        aria-required
        autoComplete="off"
        maxLength={100}
        value={typed.name}
        error={missing('name')}
        onBlur={() => setLeft({ ...left, name: true })}
        onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
      />
      <TextInput
        ref={emailInput}
        type="email"
        label={t('colleagues.add.email')}
        description={t('users.add.hint')}
        withAsterisk
        aria-required
        autoComplete="off"
        value={typed.email}
        error={badEmail ?? missing('email')}
        onBlur={() => setLeft({ ...left, email: true })}
        onChange={(event) => {
          setBadEmail(undefined);
          setTyped({ ...typed, email: event.currentTarget.value });
        }}
      />
    </FormDialog>
  );
}
