import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { isEmail } from '@highline/contract';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { showMessage } from '../../../ui/dialogs.ts';
import type { Wizard } from './useWizard.ts';
import { isFilled } from './wizard.ts';

/** Step 1: the organization and its contact. */
export function InfoStep({ wizard }: { wizard: Wizard }): ReactNode {
  const { t } = useTranslation();
  const { draft } = wizard;
  const [badEmail, setBadEmail] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const isReady = isFilled(draft);
  const reject = async () => {
    setBadEmail(true);
    await showMessage({ title: t('ui.dialog.errorTitle'), text: t('wizard.badEmail') });
    email.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || wizard.busy) return;
    if (isEmail(draft.email)) wizard.submitInfo();
    else void reject();
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      <TextInput
        label={t('wizard.field.name')}
        withAsterisk
        aria-required
        autoComplete="off"
        maxLength={200}
        value={draft.name}
        onChange={(event) => wizard.type({ name: event.currentTarget.value })}
      />
      <TextInput
        ref={email}
        type="email"
        label={t('wizard.field.email')}
        description={t('wizard.emailHint')}
        withAsterisk
        aria-required
        autoComplete="off"
        value={draft.email}
        error={badEmail && t('wizard.badEmail')}
        onBlur={wizard.touch}
        onChange={(event) => {
          setBadEmail(false);
          wizard.type({ email: event.currentTarget.value, touched: true });
        }}
      />
      <TextInput
        label={t('wizard.field.phone')}
        autoComplete="off"
        maxLength={200}
        value={draft.phone}
        onChange={(event) => wizard.type({ phone: event.currentTarget.value })}
      />
      <TextInput
        label={t('wizard.field.address')}
        autoComplete="off"
        maxLength={1_000}
        value={draft.address}
        onChange={(event) => wizard.type({ address: event.currentTarget.value })}
      />
      <div className="form__actions">
        <ActionButton
          type="submit"
          variant="filled"
          loading={wizard.busy}
          disabledReason={isReady ? undefined : t('wizard.bothFirst')}
        >
          {t('wizard.continue')}
        </ActionButton>
      </div>
    </form>
  );
}
