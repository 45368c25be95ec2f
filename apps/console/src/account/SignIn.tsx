import { accounts } from '@highline/contract';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { handOver, handOverInvalid } from './hand-over.ts';
import { PasswordField } from './PasswordField.tsx';
import { clockText, useFailureText, useTexts } from './useTexts.ts';

interface Problems {
  readonly email?: string;
  readonly password?: string;
  /** About the sign-in as a whole. */
  readonly whole?: string;
}

/** Counts down to when another try is allowed. */
function useWait() {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: setLeft };
}

/** E-mail and password (AUTH-02). Wrong ones are told without saying which: nobody learns here who has an account. */
export function SignIn({ onForgot }: { onForgot: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const wait = useWait();
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  const tell = (error: unknown) => {
    if (error instanceof ApiError && error.key === 'account.no_roles') return handOverInvalid();
    if (error instanceof ApiError && error.retryAfter !== undefined && error.status === 429) wait.start(error.retryAfter);
    else setProblems({ whole: failureText(error) });
    passwordInput.current?.select();
    return undefined;
  };
  const send = async () => {
    setBusy(true);
    try {
      const { result } = await call(accounts.signIn, { body: { email: email.trim(), password } });
      await handOver(result);
      setDone(true);
    } catch (error) {
      tell(error);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || done || wait.left > 0) return;
    const found: Problems = {
      ...(email.trim() === '' ? { email: texts.enterEmail } : {}),
      ...(password === '' ? { password: texts.enterPassword } : {}),
    };
    setProblems(found);
    if (found.email !== undefined) emailInput.current?.focus();
    else if (found.password !== undefined) passwordInput.current?.focus();
    else void send();
  };

  const whole = wait.left > 0 ? texts.wait.replace('{time}', clockText(wait.left)) : problems.whole;
  return (
    <Card title={texts.welcome}>
      <form className="account__form" noValidate onSubmit={submit}>
        <TextInput
          ref={emailInput}
          label={texts.email}
          type="email"
          autoComplete="username"
          autoFocus
          spellCheck={false}
          maxLength={320}
          value={email}
          error={problems.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          inputRef={passwordInput}
          label={texts.password}
          autoComplete="current-password"
          value={password}
          error={problems.password}
          onChange={setPassword}
        />
        {whole !== undefined && (
          <p className="note note--bad" role="alert">
            {whole}
          </p>
        )}
        {done && <p role="status">{texts.signedIn}</p>}
        <Button type="submit" variant="filled" fullWidth loading={busy || done} disabled={wait.left > 0}>
          {texts.signIn}
        </Button>
        <button type="button" className="account__link" onClick={onForgot}>
          {texts.forgot}
        </button>
      </form>
    </Card>
  );
}
