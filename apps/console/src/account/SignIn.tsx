import { accounts, passkeys } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { askForPasskey, canUsePasskeys, isCancelled } from '../api/passkeys.ts';
import { Card } from './Card.tsx';
import { CodeField } from './CodeField.tsx';
import { EnrolAtSignIn } from './EnrolAtSignIn.tsx';
import { handOver, handOverInvalid, openProvider } from './hand-over.ts';
import { Problem } from './Outcome.tsx';
import { PasswordField } from './PasswordField.tsx';
import { clockText, useFailureText, useTexts } from './useTexts.ts';
import { useWait } from './useWait.ts';

interface Problems {
  readonly email?: string;
  readonly password?: string;
  readonly otp?: string;
  /** About the sign-in as a whole. */
  readonly whole?: string;
}

/** The e-mail address that was entered at the directory of cells; empty without one. */
const emailOfAddress = () => new URLSearchParams(location.hash.slice(1)).get('email')?.slice(0, 320) ?? '';

/**
 * Email and password (AUTH-02). A failure does not say which was wrong, so it does not reveal which accounts exist. If a second
 * factor is on, its code is requested after both were accepted.
 */
export function SignIn({ onForgot }: { onForgot: () => void }): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [email, setEmail] = useState(emailOfAddress);
  const [isKnown] = useState(email !== '');
  const [password, setPassword] = useState('');
  /** Undefined until the server asks for it. */
  const [otp, setOtp] = useState<string>();
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const wait = useWait();
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);

  /** The company requires a second factor, and this person has a passkey alone. */
  const [needsPasskey, setNeedsPasskey] = useState(false);
  const [isEnrolling, setEnrolling] = useState(false);

  const showFailure = (error: unknown) => {
    if (isCancelled(error)) return setProblems({ whole: texts.passkeyCancelled });
    if (error instanceof ApiError && error.key === 'account.factor_needed') return setEnrolling(true);
    if (error instanceof ApiError && error.key === 'account.passkey_needed') return setNeedsPasskey(true);
    if (error instanceof ApiError && error.key === 'account.no_roles') return handOverInvalid();
    if (error instanceof ApiError && error.key === 'account.otp_needed') return setOtp('');
    if (error instanceof ApiError && error.key === 'account.otp_wrong') {
      setProblems({ otp: failureText(error) });
      return codeInput.current?.select();
    }
    if (error instanceof ApiError && error.retryAfter !== undefined && error.status === 429) wait.start(error.retryAfter);
    else setProblems({ whole: failureText(error) });
    passwordInput.current?.select();
    return undefined;
  };
  const send = async () => {
    setBusy(true);
    try {
      const { result } = await call(accounts.signIn, {
        body: { email: email.trim(), password, ...(otp === undefined ? {} : { otp }) },
      });
      await handOver(result);
      setDone(true);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  /** With a passkey: alone, or after the password in place of a code. */
  const signInByPasskey = async () => {
    if (busy || done || wait.left > 0) return;
    setBusy(true);
    setProblems({});
    try {
      const isSecond = (otp !== undefined || needsPasskey) && password !== '';
      const passkey = await askForPasskey();
      const { result } = isSecond
        ? await call(accounts.signIn, { body: { email: email.trim(), password, passkey } })
        : await call(passkeys.passkeySignIn, { body: { credential: passkey } });
      await handOver(result);
      setDone(true);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  /** By the identity provider of the company, whose page replaces the console's. */
  const signInByCompany = async () => {
    if (busy || done || leaving || wait.left > 0) return;
    const typed = email.trim();
    setProblems(typed === '' ? { email: texts.enterEmail } : {});
    if (typed === '') return emailInput.current?.focus();
    setLeaving(true);
    try {
      await openProvider(typed);
    } catch (error) {
      setLeaving(false);
      if (error instanceof ApiError && error.retryAfter !== undefined && error.status === 429) wait.start(error.retryAfter);
      else setProblems({ whole: failureText(error) });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || done || wait.left > 0) return;
    const found: Problems = {
      ...(email.trim() === '' ? { email: texts.enterEmail } : {}),
      ...(password === '' ? { password: texts.enterPassword } : {}),
      ...(otp === undefined || otp.trim() !== '' ? {} : { otp: texts.enterCode }),
    };
    setProblems(found);
    if (found.email !== undefined) emailInput.current?.focus();
    else if (found.password !== undefined) passwordInput.current?.focus();
    else if (found.otp !== undefined) codeInput.current?.focus();
    else void send();
  };

  if (isEnrolling) return <EnrolAtSignIn email={email.trim()} password={password} onBack={() => setEnrolling(false)} />;

  const secondLabel = needsPasskey ? texts.passkeyConfirm : texts.passkeyInstead;
  const passkeyLabel = otp !== undefined || needsPasskey ? secondLabel : texts.passkey;
  const whole = wait.left > 0 ? texts.wait.replace('{time}', clockText(wait.left)) : problems.whole;
  return (
    <Card title={texts.welcome}>
      <form className="account__form" noValidate onSubmit={submit}>
        <TextInput
          ref={emailInput}
          label={texts.email}
          type="email"
          autoComplete="username"
          autoFocus={!isKnown}
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
          autoFocus={isKnown}
          value={password}
          error={problems.password}
          onChange={setPassword}
        />
        {otp !== undefined && <CodeField inputRef={codeInput} value={otp} error={problems.otp} onChange={setOtp} />}
        <Problem text={whole} />
        {needsPasskey && <p className="dim">{texts.passkeyHint}</p>}
        {done && <p role="status">{texts.signedIn}</p>}
        {!needsPasskey && (
          <Button type="submit" variant="filled" fullWidth loading={busy || done} disabled={wait.left > 0}>
            {texts.signIn}
          </Button>
        )}
        {canUsePasskeys() && (
          <Button
            fullWidth
            variant={needsPasskey ? 'filled' : 'default'}
            disabled={busy || done || wait.left > 0}
            onClick={() => void signInByPasskey()}
          >
            {passkeyLabel}
          </Button>
        )}
        <Button fullWidth loading={leaving} onClick={() => void signInByCompany()}>
          {texts.companySignIn}
        </Button>
        <button type="button" className="account__link" onClick={onForgot}>
          {texts.forgot}
        </button>
      </form>
    </Card>
  );
}
