import { TextInput } from '../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';

export interface EndpointInputProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (endpointId: string) => void;
}

/** Where an endpoint ID is typed; empty means the default (TR-369, Endpoint Identifier). */
export function EndpointInput({ label, value, error, onChange }: EndpointInputProps): ReactNode {
  const { t } = useTranslation();
  return (
    <TextInput
      name="endpointId"
      label={label}
      description={t('inventory.form.endpointHint')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
