import { TextInput } from '../../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';

interface FieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The password of the signed-in user, to confirm the action. */
export function OwnPasswordField({ value, error, onChange }: FieldProps): ReactNode {
  const { t } = useTranslation();
  return (
    <TextInput
      name="password"
      type="password"
      label={t('users.secondFactor.password')}
      autoComplete="current-password"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
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
