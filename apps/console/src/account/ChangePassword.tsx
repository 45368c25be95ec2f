import { accounts } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { askForPasskey, canUsePasskeys, isCancelled } from '../api/passkeys.ts';
import { Card } from './Card.tsx';
import { CodeField } from './CodeField.tsx';
import { Done, Problem } from './Outcome.tsx';
import { PasswordField } from './PasswordField.tsx';
import { passwordProblems, type Problems, useAccountForm } from './useAccountForm.ts';
import { clockText, useFailureText, useTexts } from './useTexts.ts';
import { useWait } from './useWait.ts';

const empty = { password: '', newPassword: '', repeated: '', otp: '' };

/** Changes a password with the current one; every session of the account ends (USR-03). */
export function ChangePassword({ email, onDone, onBack }: { email: string; onDone: () => void; onBack: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [second, setSecond] = useState<'code' | 'passkey'>();
  const wait = useWait();
  const { form, step, whole, submit, field } = useAccountForm({
    empty,
    problemsOf: ({ password, newPassword, repeated }): Problems<typeof empty> => {
      const { password: weak, ...different } = passwordProblems(newPassword, repeated, texts);
      return {
        ...(password === '' ? { password: texts.enterPassword } : {}),
        ...(weak === undefined ? {} : { newPassword: weak }),
        ...different,
      };
    },
    send: async ({ password, newPassword, otp }) => {
      const proof = second === 'passkey' ? { passkey: await askForPasskey() } : second === 'code' ? { otp } : {};
      return call(accounts.changePassword, { body: { email, password, newPassword, ...proof } });
    },
    explain: (error): Problems<typeof empty> => {
      const { key, retryAfter } = error instanceof ApiError ? error : {};
      if (isCancelled(error)) return { whole: texts.passkeyCancelled };
      if (key === 'account.otp_needed') setSecond('code');
      else if (key === 'account.passkey_needed' && second === undefined) setSecond('passkey');
      else if (key === 'account.otp_wrong') return { otp: failureText(error) };
      else if (key === 'account.wrong_password') return { password: texts.wrongPassword };
      else if (key === 'account.too_many_tries' && retryAfter !== undefined) wait.start(retryAfter);
      else return { whole: failureText(error) };
      return {};
    },
    blocked: wait.left > 0,
  });
  if (step === 'done') return <Done title={texts.changeTitle} text={texts.done} onDone={onDone} />;
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
        {second === 'code' && <CodeField {...field('otp')} />}
        <Problem text={wait.left > 0 ? texts.wait.replace('{time}', clockText(wait.left)) : whole} />
        {second === 'passkey' && <p className="dim">{texts.passkeyHint}</p>}
        <Button type="submit" variant="filled" fullWidth loading={step === 'busy'} disabled={wait.left > 0}>
          {second === 'passkey' ? texts.passkeyConfirm : texts.setPassword}
        </Button>
        {second === 'code' && canUsePasskeys() && (
          <button type="button" className="account__link" onClick={() => setSecond('passkey')}>
            {texts.passkeyInstead}
          </button>
        )}
        <button type="button" className="account__link" onClick={onBack}>
          {texts.toConsole}
        </button>
      </form>
    </Card>
  );
}
