import { accounts, isEmail } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { Done, Problem } from './Outcome.tsx';
import { PasswordField } from './PasswordField.tsx';
import { passwordProblems, type Problems, useAccountForm } from './useAccountForm.ts';
import { useFailureText, useTexts } from './useTexts.ts';

const empty = { company: '', name: '', email: '', password: '', repeated: '' };

/** The first main account of an installation, with the secret of the link that was printed at its start. */
export function SetUp({ secret, onDone }: { secret: string; onDone: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const { form, step, whole, submit, field } = useAccountForm({
    empty,
    problemsOf: ({ company, name, email, password, repeated }): Problems<typeof empty> => ({
      ...(company.trim() === '' ? { company: texts.enterField } : {}),
      ...(name.trim() === '' ? { name: texts.enterField } : {}),
      ...(isEmail(email) ? {} : { email: texts.badEmail }),
      ...passwordProblems(password, repeated, texts),
    }),
    send: ({ repeated: _repeated, ...first }) => call(accounts.setUp, { body: { secret, ...first } }),
    explain: (error) => ({
      whole: error instanceof ApiError && error.key === 'account.link_invalid' ? texts.setUpGone : failureText(error),
    }),
  });
  const textField = (name: 'company' | 'name' | 'email') => {
    const { onChange, ...rest } = field(name);
    return { ...rest, onChange: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value) };
  };
  if (step === 'done') return <Done title={texts.setUpTitle} text={texts.setUpDone} onDone={onDone} />;
  return (
    <Card title={texts.setUpTitle}>
      <form ref={form} className="account__form" noValidate onSubmit={submit}>
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
        <Problem text={whole} />
        <Button type="submit" variant="filled" fullWidth loading={step === 'busy'}>
          {texts.setUp}
        </Button>
      </form>
    </Card>
  );
}
