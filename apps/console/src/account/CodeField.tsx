import { TextInput } from '../ui/controls/TextInput.tsx';
import type { ReactNode, Ref } from 'react';
import { useTexts } from './useTexts.ts';

export interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  /** Left out: a code of the app, or a recovery code. */
  readonly hint?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** The code of a second factor. It appears once the password was accepted, and takes the focus. */
export function CodeField({ value, onChange, error, hint, inputRef }: CodeFieldProps): ReactNode {
  const texts = useTexts();
  return (
    <TextInput
      {...(inputRef === undefined ? {} : { ref: inputRef })}
      label={texts.code}
      description={hint ?? texts.codeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoFocus
      spellCheck={false}
      maxLength={40}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
