import { type ReactNode, useEffect, useState } from 'react';
import { Forgot } from './Forgot.tsx';
import { Reset } from './Reset.tsx';
import { SignIn } from './SignIn.tsx';
import { useTexts } from './useTexts.ts';

type Step = 'sign-in' | 'forgot' | 'reset';

/** The secret of a mailed link. It leaves the address at once: addresses end up in histories and screenshots. */
export function takeSecret(): string | undefined {
  const secret = new URLSearchParams(location.search).get('reset') ?? undefined;
  if (secret !== undefined) history.replaceState(null, '', location.pathname);
  return secret;
}

/** The account service's page: sign in, ask for a new password, set one. */
export function AccountApp({ secret }: { secret: string | undefined }): ReactNode {
  const texts = useTexts();
  const [step, setStep] = useState<Step>(secret === undefined ? 'sign-in' : 'reset');
  useEffect(() => {
    document.title = `${texts.signIn} · Highline`;
  }, [texts]);
  const toSignIn = () => setStep('sign-in');

  if (step === 'reset' && secret !== undefined) return <Reset secret={secret} onDone={() => location.assign('/')} />;
  return step === 'forgot' ? <Forgot onBack={toSignIn} /> : <SignIn onForgot={() => setStep('forgot')} />;
}
