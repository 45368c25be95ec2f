import { accounts } from '@highline/contract';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { CodeField } from './CodeField.tsx';
import { PasswordField } from './PasswordField.tsx';
import type { AccountTexts } from './texts.ts';
import { clockText, useFailureText, useTexts } from './useTexts.ts';
import { useWait } from './useWait.ts';

const empty = { password: '', newPassword: '', repeated: '', otp: '' };
type Values = typeof empty;
type Problems = Partial<Record<keyof Values | 'whole', string>>;

function problemsOf(values: Values, texts: AccountTexts): Problems {
  const length = Array.from(values.newPassword).length;
  return {
    ...(values.password === '' ? { password: texts.enterPassword } : {}),
    ...(length < 10 || length > 200 ? { newPassword: texts.tooShort } : {}),
    ...(values.repeated === values.newPassword ? {} : { repeated: texts.different }),
  };
}

/** Changes a password with the current one; every session of the account ends (USR-03). */
export function ChangePassword({ email, onDone, onBack }: { email: string; onDone: () => void; onBack: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [values, setValues] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});
  const [needsCode, setNeedsCode] = useState(false);
  const [step, setStep] = useState<'typing' | 'busy' | 'done'>('typing');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const field = (name: keyof Values) => ({
    value: values[name],
    error: problems[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });

  const showFailure = (error: unknown) => {
    setStep('typing');
    const { key, retryAfter } = error instanceof ApiError ? error : {};
    if (key === 'account.otp_needed') setNeedsCode(true);
    else if (key === 'account.otp_wrong') setProblems({ otp: failureText(error) });
    else if (key === 'account.wrong_password') setProblems({ password: texts.wrongPassword });
    else if (key === 'account.too_many_tries' && retryAfter !== undefined) wait.start(retryAfter);
    else setProblems({ whole: failureText(error) });
  };
  const send = async () => {
    setStep('busy');
    const { password, newPassword, otp } = values;
    try {
      const body = { email, password, newPassword, ...(needsCode ? { otp } : {}) };
      await call(accounts.changePassword, { body });
      setStep('done');
    } catch (error) {
      showFailure(error);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 'busy' || wait.left > 0) return;
    const found = problemsOf(values, texts);
    setProblems(found);
    if (Object.keys(found).length === 0) void send();
    else requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus());
  };

  if (step === 'done') {
    return (
      <Card title={texts.changeTitle}>
        <p className="note" role="status">
          {texts.done}
        </p>
        <Button variant="filled" fullWidth autoFocus onClick={onDone}>
          {texts.signIn}
        </Button>
      </Card>
    );
  }
  const whole = wait.left > 0 ? texts.wait.replace('{time}', clockText(wait.left)) : problems.whole;
  return (
    <Card title={texts.changeTitle}>
      <form ref={form} className="account__form" noValidate onSubmit={submit}>
        <p className="dim">{texts.changeHint}</p>
        <TextInput label={texts.email} type="email" autoComplete="username" readOnly value={email} />
        <PasswordField label={texts.oldPassword} autoComplete="current-password" autoFocus {...field('password')} />
        <PasswordField
          label={texts.newPassword}
          description={texts.resetHint}
          autoComplete="new-password"
          {...field('newPassword')}
        />
        <PasswordField label={texts.repeat} autoComplete="new-password" {...field('repeated')} />
        {needsCode && <CodeField {...field('otp')} />}
        {whole !== undefined && (
          <p className="note note--bad" role="alert">
            {whole}
          </p>
        )}
        <Button type="submit" variant="filled" fullWidth loading={step === 'busy'} disabled={wait.left > 0}>
          {texts.setPassword}
        </Button>
        <button type="button" className="account__link" onClick={onBack}>
          {texts.toConsole}
        </button>
      </form>
    </Card>
  );
}
