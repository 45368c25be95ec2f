import { type ReactNode, useEffect, useState } from 'react';
import { ChangePassword } from './ChangePassword.tsx';
import { CompanyFailed } from './CompanyFailed.tsx';
import { Forgot } from './Forgot.tsx';
import { Invitation } from './Invitation.tsx';
import { Reset } from './Reset.tsx';
import { SetUp } from './SetUp.tsx';
import { SignIn } from './SignIn.tsx';
import { SummaryLink } from './SummaryLink.tsx';
import { useTexts } from './useTexts.ts';

type Step = 'sign-in' | 'forgot' | 'link';

/** What a link can be for. `failed` is opened after a sign-in by an identity provider that was rejected, with the key of the failure. */
const purposes = ['reset', 'invitation', 'setup', 'change', 'confirm', 'unsubscribe', 'failed'] as const;

/** What a link is for. `change` is opened by the console, with the email address of the account whose password changes. */
interface Link {
  readonly purpose: (typeof purposes)[number];
  /** The secret, or that address. */
  readonly value: string;
}

/** The content of a link. It is removed from the address immediately, because addresses end up in histories and screenshots. */
export function takeLink(): Link | undefined {
  const query = new URLSearchParams(location.search);
  const purpose = purposes.find((name) => query.has(name));
  if (purpose === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return { purpose, value: query.get(purpose) ?? '' };
}

/** The account service's page: sign in, request a new password, set or change one, set up an installation. */
export function AccountApp({ link }: { link: Link | undefined }): ReactNode {
  const texts = useTexts();
  const [step, setStep] = useState<Step>(link === undefined ? 'sign-in' : 'link');
  useEffect(() => {
    document.title = `${texts.signIn} · Highline`;
  }, [texts]);
  const toSignIn = () => setStep('sign-in');

  if (step === 'link' && link !== undefined) {
    const onDone = () => location.assign('/');
    // Its session is over, but the cookies of the console are still there.
    if (link.purpose === 'change')
      return <ChangePassword email={link.value} onDone={() => location.assign('/logout')} onBack={onDone} />;
    if (link.purpose === 'confirm' || link.purpose === 'unsubscribe')
      return <SummaryLink purpose={link.purpose} token={link.value} />;
    if (link.purpose === 'setup') return <SetUp secret={link.value} onDone={onDone} />;
    if (link.purpose === 'failed') return <CompanyFailed failure={link.value} onBack={onDone} />;
    const onRequestNewLink = () => setStep('forgot');
    const LinkPage = link.purpose === 'invitation' ? Invitation : Reset;
    return <LinkPage secret={link.value} onDone={onDone} onRequestNewLink={onRequestNewLink} />;
  }
  return step === 'forgot' ? <Forgot onBack={toSignIn} /> : <SignIn onForgot={() => setStep('forgot')} />;
}
