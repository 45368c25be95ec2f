import { ActionIcon } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, type Ref, useState } from 'react';
import { useTexts } from './useTexts.ts';

export interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly description?: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly autoFocus?: boolean;
}

/** A password that can be looked at. */
export function PasswordField(props: PasswordFieldProps): ReactNode {
  const { label, value, onChange, error, description, autoComplete, inputRef, autoFocus = false } = props;
  const texts = useTexts();
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      {...(inputRef === undefined ? {} : { ref: inputRef })}
      label={label}
      type={shown ? 'text' : 'password'}
      value={value}
      error={error}
      description={description}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      spellCheck={false}
      maxLength={1000}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <ActionIcon
          aria-label={shown ? texts.hide : texts.show}
          title={shown ? texts.hide : texts.show}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <IconEyeOff size={17} /> : <IconEye size={17} />}
        </ActionIcon>
      }
    />
  );
}
