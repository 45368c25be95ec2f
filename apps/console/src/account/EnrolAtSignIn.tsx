import { secondFactor } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { call, type CallResponse } from '../api/client.ts';
import { saveFile } from '../api/download.ts';
import { Card } from './Card.tsx';
import { CodeField } from './CodeField.tsx';
import { handOver, type Credentials } from './hand-over.ts';
import { Problem } from './Outcome.tsx';
import { useAccountForm, type Problems } from './useAccountForm.ts';
import { useFailureText, useTexts } from './useTexts.ts';

const QrCode = lazy(async () => ({ default: (await import('../ui/QrCode.tsx')).QrCode }));

type Enrolment = CallResponse<typeof secondFactor.beginAtSignIn>['result'];

export interface EnrolAtSignInProps {
  /** As they were accepted. */
  readonly email: string;
  readonly password: string;
  readonly onBack: () => void;
}

/** The second factor that a company requires is set up before the first session; the recovery codes are shown once (IAM-06). */
export function EnrolAtSignIn({ email, password, onBack }: EnrolAtSignInProps): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [failure, setFailure] = useState<string>();
  const [begun, setBegun] = useState<Credentials & { readonly recoveryCodes: readonly string[] }>();
  const begin = () => {
    call(secondFactor.beginAtSignIn, { body: { email, password } }).then(
      ({ result }) => setEnrolment(result),
      (error: unknown) => setFailure(failureText(error)),
    );
  };
  useEffect(begin, []);
  const { form, step, whole, submit, field } = useAccountForm({
    empty: { code: '' },
    problemsOf: ({ code }): Problems<{ code: string }> => (code.trim() === '' ? { code: texts.enterCode } : {}),
    send: async ({ code }) => setBegun((await call(secondFactor.confirmAtSignIn, { body: { email, password, code } })).result),
    explain: (error): Problems<{ code: string }> => ({ code: failureText(error) }),
  });
  if (begun !== undefined) return <RecoveryCodes begun={begun} />;
  return (
    <Card title={texts.factorTitle}>
      <form ref={form} className="account__form" noValidate onSubmit={submit}>
        <Problem text={failure ?? whole} />
        {enrolment !== undefined && (
          <>
            <p>{texts.factorHint}</p>
            <Suspense fallback={null}>
              <QrCode text={enrolment.uri} label={texts.factorQr} />
            </Suspense>
            <p className="dim">{texts.factorKey}</p>
            <code className="account__key">{enrolment.secret.replaceAll(/(.{4})(?=.)/gu, '$1 ')}</code>
            <CodeField {...field('code')} hint={texts.factorCode} />
            <Button type="submit" variant="filled" fullWidth loading={step === 'busy'}>
              {texts.factorSubmit}
            </Button>
          </>
        )}
        {enrolment === undefined && failure === undefined && <p role="status">{texts.loading}</p>}
        <button type="button" className="account__link" onClick={onBack}>
          {texts.back}
        </button>
      </form>
    </Card>
  );
}

function RecoveryCodes({ begun }: { begun: Credentials & { readonly recoveryCodes: readonly string[] } }): ReactNode {
  const texts = useTexts();
  const [busy, setBusy] = useState(false);
  const save = () =>
    saveFile(new Blob([`${begun.recoveryCodes.join('\r\n')}\r\n`], { type: 'text/plain' }), 'highline-recovery-codes.txt');
  const goOn = () => {
    setBusy(true);
    void handOver(begun);
  };
  return (
    <Card title={texts.recoveryTitle}>
      <p>{texts.recoveryHint}</p>
      <ul className="account__codes" aria-label={texts.recoveryTitle}>
        {begun.recoveryCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button fullWidth onClick={save}>
        {texts.recoverySave}
      </Button>
      <Button variant="filled" fullWidth autoFocus loading={busy} onClick={goOn}>
        {texts.recoveryDone}
      </Button>
    </Card>
  );
}
