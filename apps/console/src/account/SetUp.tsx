import { accounts, isEmail } from '@highline/contract';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { PasswordField } from './PasswordField.tsx';
import type { AccountTexts } from './texts.ts';
import { useFailureText, useTexts } from './useTexts.ts';

const empty = { company: '', name: '', email: '', password: '', repeated: '' };
type Values = typeof empty;
type Problems = Partial<Record<keyof Values, string>>;

function problemsOf(values: Values, texts: AccountTexts): Problems {
  const length = Array.from(values.password).length;
  return {
    ...(values.company.trim() === '' ? { company: texts.enterField } : {}),
    ...(values.name.trim() === '' ? { name: texts.enterField } : {}),
    ...(isEmail(values.email) ? {} : { email: texts.badEmail }),
    ...(length < 10 || length > 200 ? { password: texts.tooShort } : {}),
    ...(values.repeated === values.password ? {} : { repeated: texts.different }),
  };
}

/** The first main account of an installation, with the secret of the link that was printed at its start. */
export function SetUp({ secret, onDone }: { secret: string; onDone: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [values, setValues] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});
  const [rejection, setRejection] = useState<string>();
  const [step, setStep] = useState<'typing' | 'busy' | 'done'>('typing');
  const field = (name: keyof Values) => ({
    value: values[name],
    error: problems[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const textField = (name: 'company' | 'name' | 'email') => ({
    ...field(name),
    onChange: (event: { currentTarget: HTMLInputElement }) => setValues({ ...values, [name]: event.currentTarget.value }),
  });
  const send = async () => {
    setStep('busy');
    setRejection(undefined);
    const { repeated: _repeated, ...first } = values;
    try {
      await call(accounts.setUp, { body: { secret, ...first } });
      setStep('done');
    } catch (error) {
      const isGone = error instanceof ApiError && error.key === 'account.link_invalid';
      setRejection(isGone ? texts.setUpGone : failureText(error));
      setStep('typing');
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(values, texts);
    setProblems(found);
    if (Object.keys(found).length === 0 && step === 'typing') void send();
  };
  if (step === 'done') {
    return (
      <Card title={texts.setUpTitle}>
        <p className="note" role="status">
          {texts.setUpDone}
        </p>
        <Button variant="filled" fullWidth autoFocus onClick={onDone}>
          {texts.signIn}
        </Button>
      </Card>
    );
  }
  return (
    <Card title={texts.setUpTitle}>
      <form className="account__form" noValidate onSubmit={submit}>
        <p>{texts.setUpHint}</p>
        <TextInput label={texts.company} autoComplete="organization" maxLength={200} autoFocus {...textField('company')} />
        <TextInput label={texts.name} autoComplete="name" maxLength={100} {...textField('name')} />
        <TextInput label={texts.email} type="email" autoComplete="username" {...textField('email')} />
        <PasswordField
          label={texts.newPassword}
          description={texts.resetHint}
          autoComplete="new-password"
          {...field('password')}
        />
        <PasswordField label={texts.repeat} autoComplete="new-password" {...field('repeated')} />
        {rejection !== undefined && (
          <p className="note note--bad" role="alert">
            {rejection}
          </p>
        )}
        <Button type="submit" variant="filled" fullWidth loading={step === 'busy'}>
          {texts.setUp}
        </Button>
      </form>
    </Card>
  );
}
