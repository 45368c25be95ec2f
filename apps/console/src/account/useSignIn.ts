import { accounts, passkeys } from '@highline/contract';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { askForPasskey, isCancelled } from '../api/passkeys.ts';
import { handOver, handOverInvalid, openProvider } from './hand-over.ts';
import { useFailureText, useTexts } from './useTexts.ts';
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

/** What is missing before a sign-in can be sent. */
function problemsOf(
  { email, password, otp }: { readonly email: string; readonly password: string; readonly otp: string | undefined },
  texts: ReturnType<typeof useTexts>,
): Problems {
  return {
    ...(email.trim() === '' ? { email: texts.enterEmail } : {}),
    ...(password === '' ? { password: texts.enterPassword } : {}),
    ...(otp === undefined || otp.trim() !== '' ? {} : { otp: texts.enterCode }),
  };
}

/** What someone enters to sign in, and the three ways: by password with a second factor, by passkey, and by the company. */
export function useSignIn() {
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
    const found = problemsOf({ email, password, otp }, texts);
    setProblems(found);
    if (found.email !== undefined) emailInput.current?.focus();
    else if (found.password !== undefined) passwordInput.current?.focus();
    else if (found.otp !== undefined) codeInput.current?.focus();
    else void send();
  };

  return {
    email,
    setEmail,
    isKnown,
    password,
    setPassword,
    otp,
    setOtp,
    problems,
    busy,
    done,
    leaving,
    wait,
    emailInput,
    passwordInput,
    codeInput,
    needsPasskey,
    isEnrolling,
    setEnrolling,
    submit,
    signInByPasskey,
    signInByCompany,
  };
}
