import type { ReactNode } from 'react';
import { canUsePasskeys } from '../api/passkeys.ts';
import { Button } from '../ui/controls/Button.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { Card } from './Card.tsx';
import { CodeField } from './CodeField.tsx';
import { EnrolAtSignIn } from './EnrolAtSignIn.tsx';
import { Problem } from './Outcome.tsx';
import { PasswordField } from './PasswordField.tsx';
import { useSignIn } from './useSignIn.ts';
import { clockText, useTexts } from './useTexts.ts';

/**
 * Email and password (AUTH-02). A failure does not say which was wrong, so it does not reveal which accounts exist. If a second
 * factor is on, its code is requested after both were accepted.
 */
export function SignIn({ onForgot }: { onForgot: () => void }): ReactNode {
  const texts = useTexts();
  const { email, setEmail, isKnown, password, setPassword, otp, setOtp, problems, busy, done, leaving, wait, ...form } =
    useSignIn();
  const {
    emailInput,
    passwordInput,
    codeInput,
    needsPasskey,
    isEnrolling,
    setEnrolling,
    submit,
    signInByPasskey,
    signInByCompany,
  } = form;

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
