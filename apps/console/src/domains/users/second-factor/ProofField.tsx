import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useConfirmation } from '../../../api/useConfirmation.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';

interface FieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The password of the signed-in user, to confirm the action; or, after a company sign-in, another one of these. */
export function OwnPasswordField({ value, error, onChange }: FieldProps): ReactNode {
  const { t } = useTranslation();
  const { isPossible, isConfirmed, begin } = useConfirmation();
  if (isConfirmed) return <p className="note">{t('users.secondFactor.confirmed')}</p>;
  return (
    <>
      <TextInput
        name="password"
        type="password"
        label={t('users.secondFactor.password')}
        autoComplete="current-password"
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isPossible && (
        <div>
          <p className="dim">{t('users.secondFactor.confirmHint')}</p>
          <Button loading={begin.busy} onClick={() => begin.run()}>
            {t('users.secondFactor.confirm')}
          </Button>
        </div>
      )}
    </>
  );
}

interface CodeFieldProps extends FieldProps {
  readonly hint: string;
  readonly autoFocus?: boolean;
}

/** A code of the authenticator app. */
export function CodeField({ value, error, onChange, hint, autoFocus = false }: CodeFieldProps): ReactNode {
  const { t } = useTranslation();
  return (
    <TextInput
      name="code"
      label={t('users.secondFactor.code')}
      description={hint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoFocus={autoFocus}
      spellCheck={false}
      maxLength={40}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
