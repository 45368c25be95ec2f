import { accounts } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { useLanguage } from '../ui/language.ts';
import { Card } from './Card.tsx';
import { useFailureText, useTexts } from './useTexts.ts';

/** Requests an email with a reset link. The confirmation does not reveal whether the address has an account. */
export function Forgot({ onBack }: { onBack: () => void }): ReactNode {
  const texts = useTexts();
  const language = useLanguage();
  const failureText = useFailureText();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const send = async () => {
    setBusy(true);
    try {
      await call(accounts.forgotPassword, { body: { email: email.trim(), language } });
      setSent(true);
    } catch (error) {
      setProblem(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = email.trim() === '' ? texts.enterEmail : email.includes('@') ? undefined : texts.badEmail;
    setProblem(found);
    if (found !== undefined) input.current?.focus();
    else if (!busy) void send();
  };
  const back = (
    <button type="button" className="account__link" onClick={onBack}>
      {texts.back}
    </button>
  );

  return (
    <Card title={texts.forgotTitle}>
      {sent ? (
        <>
          <p className="note" role="status">
            {texts.linkSent}
          </p>
          {back}
        </>
      ) : (
        <form className="account__form" noValidate onSubmit={submit}>
          <p className="dim">{texts.forgotHint}</p>
          <TextInput
            ref={input}
            label={texts.email}
            type="email"
            autoComplete="username"
            autoFocus
            spellCheck={false}
            maxLength={320}
            value={email}
            error={problem}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" variant="filled" fullWidth loading={busy}>
            {texts.sendLink}
          </Button>
          {back}
        </form>
      )}
    </Card>
  );
}
