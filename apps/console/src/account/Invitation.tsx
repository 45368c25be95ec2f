import { accounts } from '@highline/contract';
import { Button } from '../ui/controls/Button.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { Card } from './Card.tsx';
import { Problem } from './Outcome.tsx';
import { DeadLink, Reset, type ResetProps } from './Reset.tsx';
import { useFailureText, useTexts } from './useTexts.ts';

type State = { readonly invitation: accounts.Invitation } | { readonly error: unknown } | undefined;

async function read(secret: string): Promise<State> {
  try {
    return { invitation: (await call(accounts.readInvitation, { body: { secret } })).result };
  } catch (error) {
    return { error };
  }
}

/** The page of an invitation: who invites whom to what, and the password to set. */
export function Invitation({ secret, onDone, onRequestNewLink }: Omit<ResetProps, 'invitation'>): ReactNode {
  const texts = useTexts();
  const failureText = useFailureText();
  const [state, setState] = useState<State>();
  useEffect(() => void read(secret).then(setState), [secret]);
  const again = () => {
    setState(undefined);
    void read(secret).then(setState);
  };

  if (state === undefined)
    return (
      <Card title={texts.loading}>
        <span role="status" aria-busy />
      </Card>
    );
  if ('invitation' in state)
    return <Reset secret={secret} invitation={state.invitation} onDone={onDone} onRequestNewLink={onRequestNewLink} />;
  const text = failureText(state.error);
  if (state.error instanceof ApiError && state.error.key === 'account.link_invalid')
    return <DeadLink title={texts.inviteTitle} text={text} onRequestNewLink={onRequestNewLink} onDone={onDone} />;
  return (
    <Card title={texts.inviteTitle}>
      <Problem text={text} />
      <Button variant="filled" fullWidth onClick={again}>
        {texts.tryAgain}
      </Button>
    </Card>
  );
}
