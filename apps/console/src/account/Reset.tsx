import { accounts } from '@highline/contract';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { Card } from './Card.tsx';
import { PasswordField } from './PasswordField.tsx';
import { useFailureText, useTexts } from './useTexts.ts';

const SHORTEST = 10;
const LONGEST = 200;

/** A new password, typed twice, with the secret of a mailed link. */
export function Reset({ secret, onDone }: { secret: string; onDone: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [problems, setProblems] = useState<{ readonly password?: string; readonly repeated?: string; readonly whole?: string }>(
    {},
  );
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const passwordInput = useRef<HTMLInputElement>(null);
  const repeatedInput = useRef<HTMLInputElement>(null);

  const send = async () => {
    setBusy(true);
    try {
      await call(accounts.resetPassword, { body: { secret, password } });
      setDone(true);
    } catch (error) {
      setProblems({ whole: failureText(error) });
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const length = Array.from(password).length;
    const weak = length < SHORTEST || length > LONGEST;
    const found = weak ? { password: texts.tooShort } : password === repeated ? {} : { repeated: texts.different };
    setProblems(found);
    if (weak) passwordInput.current?.focus();
    else if (password !== repeated) repeatedInput.current?.focus();
    else if (!busy) void send();
  };

  if (done) {
    return (
      <Card title={texts.resetTitle}>
        <p className="note" role="status">
          {texts.done}
        </p>
        <Button variant="filled" fullWidth autoFocus onClick={onDone}>
          {texts.signIn}
        </Button>
      </Card>
    );
  }
  return (
    <Card title={texts.resetTitle}>
      <form className="account__form" noValidate onSubmit={submit}>
        <PasswordField
          inputRef={passwordInput}
          label={texts.newPassword}
          description={texts.resetHint}
          autoComplete="new-password"
          autoFocus
          value={password}
          error={problems.password}
          onChange={setPassword}
        />
        <PasswordField
          inputRef={repeatedInput}
          label={texts.repeat}
          autoComplete="new-password"
          value={repeated}
          error={problems.repeated}
          onChange={setRepeated}
        />
        {problems.whole !== undefined && (
          <p className="note note--bad" role="alert">
            {problems.whole}
          </p>
        )}
        <Button type="submit" variant="filled" fullWidth loading={busy}>
          {texts.setPassword}
        </Button>
      </form>
    </Card>
  );
}
