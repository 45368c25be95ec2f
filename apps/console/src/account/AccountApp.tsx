import { type ReactNode, useEffect, useState } from 'react';
import { Forgot } from './Forgot.tsx';
import { Reset } from './Reset.tsx';
import { SetUp } from './SetUp.tsx';
import { SignIn } from './SignIn.tsx';
import { useTexts } from './useTexts.ts';

type Step = 'sign-in' | 'forgot' | 'link';

/** What a link was sent or printed for. */
interface LinkSecret {
  readonly purpose: 'reset' | 'setup';
  readonly secret: string;
}

/** The secret of a link. It leaves the address at once: addresses end up in histories and screenshots. */
export function takeSecret(): LinkSecret | undefined {
  const query = new URLSearchParams(location.search);
  const purpose = (['reset', 'setup'] as const).find((name) => query.has(name));
  if (purpose === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return { purpose, secret: query.get(purpose) ?? '' };
}

/** The account service's page: sign in, ask for a new password, set one, set up an installation. */
export function AccountApp({ link }: { link: LinkSecret | undefined }): ReactNode {
  const texts = useTexts();
  const [step, setStep] = useState<Step>(link === undefined ? 'sign-in' : 'link');
  useEffect(() => {
    document.title = `${texts.signIn} · Highline`;
  }, [texts]);
  const toSignIn = () => setStep('sign-in');

  if (step === 'link' && link !== undefined) {
    const Page = link.purpose === 'setup' ? SetUp : Reset;
    return <Page secret={link.secret} onDone={() => location.assign('/')} />;
  }
  return step === 'forgot' ? <Forgot onBack={toSignIn} /> : <SignIn onForgot={() => setStep('forgot')} />;
}
