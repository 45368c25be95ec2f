import { accounts } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { handOver } from './hand-over.ts';
import { Done, Problem } from './Outcome.tsx';
import { PasswordField } from './PasswordField.tsx';
import { passwordProblems, useAccountForm } from './useAccountForm.ts';
import { useFailureText, useTexts } from './useTexts.ts';

const empty = { password: '', repeated: '' };

export interface ResetProps {
  readonly secret: string;
  /** The link is an invitation: its reader has no password yet, and is greeted (USR-02). */
  readonly invitation?: accounts.Invitation;
  readonly onDone: () => void;
  /** Leads to a new link when this one is no longer valid. */
  readonly onRequestNewLink: () => void;
}

/** The link is used up: nothing that is typed here could help. */
export function DeadLink({
  title,
  text,
  onRequestNewLink,
  onDone,
}: Pick<ResetProps, 'onRequestNewLink' | 'onDone'> & { title: string; text: string }) {
  const texts = useTexts();
  return (
    <Card title={title}>
      <Problem text={text} />
      <Button variant="filled" fullWidth autoFocus onClick={onRequestNewLink}>
        {texts.requestNewLink}
      </Button>
      <button type="button" className="account__link" onClick={onDone}>
        {texts.back}
      </button>
    </Card>
  );
}

/** Who invites whom to what. */
function Greeting({ invitation: { email, organization, inviter } }: { invitation: accounts.Invitation }): ReactNode {
  const texts = useTexts();
  const sentence = inviter === null ? texts.invited : texts.invitedBy;
  return (
    <>
      <p className="account__greeting">{fill(sentence, { inviter: inviter ?? '', organization })}</p>
      <p className="dim">{fill(texts.inviteHint, { email })}</p>
    </>
  );
}

/** Names are put in at once: what is in one of them is no place for another. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/gu, (place, name: string) => values[name] ?? place);
}

/** Open the console. If that fails, the page says that one can sign in now: the password is set in any case. */
async function signInAtOnce(email: string, password: string): Promise<void> {
  try {
    await handOver((await call(accounts.signIn, { body: { email, password } })).result);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** A password, typed twice, with the secret of an emailed link. */
export function Reset({ secret, invitation, onDone, onRequestNewLink }: ResetProps): ReactNode {
  const texts = useTexts();
  const invited = invitation !== undefined;
  const title = invited ? texts.inviteTitle : texts.resetTitle;
  const failureText = useFailureText();
  const [dead, setDead] = useState<string>();
  const { form, step, whole, submit, field } = useAccountForm({
    empty,
    problemsOf: ({ password, repeated }) => passwordProblems(password, repeated, texts),
    send: async ({ password }) => {
      const { result } = await call(accounts.resetPassword, { body: { secret, password } });
      if (invited) await signInAtOnce(result.email, password);
    },
    explain: (error) => {
      if (error instanceof ApiError && error.key === 'account.link_invalid') setDead(failureText(error));
      return { whole: failureText(error) };
    },
  });
  if (dead !== undefined) return <DeadLink title={title} text={dead} onRequestNewLink={onRequestNewLink} onDone={onDone} />;
  if (step === 'done') return <Done title={title} text={invited ? texts.inviteDone : texts.done} onDone={onDone} />;
  return (
    <Card title={title}>
      <form ref={form} className="account__form" noValidate onSubmit={submit}>
        {invitation !== undefined && <Greeting invitation={invitation} />}
        <PasswordField
          label={invited ? texts.password : texts.newPassword}
          description={texts.resetHint}
          autoComplete="new-password"
          autoFocus
          {...field('password')}
        />
        <PasswordField label={invited ? texts.repeatPassword : texts.repeat} autoComplete="new-password" {...field('repeated')} />
        <Problem text={whole} />
        <Button type="submit" variant="filled" fullWidth loading={step === 'busy'}>
          {texts.setPassword}
        </Button>
      </form>
    </Card>
  );
}
