import { accounts } from '@highline/contract';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { PasswordField } from './PasswordField.tsx';
import { useFailureText, useTexts } from './useTexts.ts';

const SHORTEST = 10;
const LONGEST = 200;

export interface ResetProps {
  readonly secret: string;
  /** The link is an invitation: its reader has no password yet, and is greeted (USR-02). */
  readonly invited: boolean;
  readonly onDone: () => void;
  /** Leads to a new link when this one is no longer valid. */
  readonly onRequestNewLink: () => void;
}

/** The link is used up: nothing that is typed here could help. */
function DeadLink({
  title,
  text,
  onRequestNewLink,
  onDone,
}: Pick<ResetProps, 'onRequestNewLink' | 'onDone'> & { title: string; text: string }) {
  const texts = useTexts();
  return (
    <Card title={title}>
      <p className="note note--bad" role="alert">
        {text}
      </p>
      <Button variant="filled" fullWidth autoFocus onClick={onRequestNewLink}>
        {texts.requestNewLink}
      </Button>
      <button type="button" className="account__link" onClick={onDone}>
        {texts.back}
      </button>
    </Card>
  );
}

/** A password, typed twice, with the secret of an emailed link. */
export function Reset({ secret, invited, onDone, onRequestNewLink }: ResetProps): ReactNode {
  const texts = useTexts();
  const title = invited ? texts.inviteTitle : texts.resetTitle;
  const failureText = useFailureText();
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [problems, setProblems] = useState<{ readonly password?: string; readonly repeated?: string; readonly whole?: string }>(
    {},
  );
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<'typing' | 'done' | { readonly dead: string }>('typing');
  const passwordInput = useRef<HTMLInputElement>(null);
  const repeatedInput = useRef<HTMLInputElement>(null);

  const send = async () => {
    setBusy(true);
    try {
      await call(accounts.resetPassword, { body: { secret, password } });
      setStep('done');
    } catch (error) {
      if (error instanceof ApiError && error.key === 'account.link_invalid') setStep({ dead: failureText(error) });
      else setProblems({ whole: failureText(error) });
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

  if (typeof step === 'object')
    return <DeadLink title={title} text={step.dead} onRequestNewLink={onRequestNewLink} onDone={onDone} />;
  if (step === 'done') {
    return (
      <Card title={title}>
        <p className="note" role="status">
          {invited ? texts.inviteDone : texts.done}
        </p>
        <Button variant="filled" fullWidth autoFocus onClick={onDone}>
          {texts.signIn}
        </Button>
      </Card>
    );
  }
  return (
    <Card title={title}>
      <form className="account__form" noValidate onSubmit={submit}>
        {invited && <p className="dim">{texts.inviteHint}</p>}
        <PasswordField
          inputRef={passwordInput}
          label={invited ? texts.password : texts.newPassword}
          description={texts.resetHint}
          autoComplete="new-password"
          autoFocus
          value={password}
          error={problems.password}
          onChange={setPassword}
        />
        <PasswordField
          inputRef={repeatedInput}
          label={invited ? texts.repeatPassword : texts.repeat}
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
