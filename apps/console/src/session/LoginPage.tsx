import { accounts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../api/client.ts';
import { useErrorText } from '../api/useErrorText.ts';
import { ErrorState } from '../ui/states.tsx';
import { type FrameMessage, readFrameMessage } from './login-message.ts';
import { clearLogoutFlag, INVALID_ACCOUNT, safeReturn } from './sign-out.ts';
import './login.css';

/** Handle the message of the frame: store the session and continue, or report that the account has no permissions. */
async function follow(message: FrameMessage, next: string): Promise<void> {
  if (message.type === 'invalid-account') {
    location.replace(INVALID_ACCOUNT);
    return;
  }
  clearLogoutFlag();
  await call(accounts.openSession, { body: { id: message.id, vap: message.vap } });
  // A full page load instead of a route change: nothing of the previous user may stay in memory (AUTH-03).
  location.replace(next);
}

function useFrameMessages(address: string | undefined, onMessage: (message: FrameMessage) => void) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (address === undefined) return undefined;
    const { origin } = new URL(address, location.href);
    const listen = (event: MessageEvent) => {
      const message = readFrameMessage(event, origin, frame.current?.contentWindow ?? null);
      if (message !== undefined) onMessage(message);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [address, onMessage]);
  return frame;
}

/** `#email=…` of the address: the directory of cells hands over what the user typed there. Empty = none. */
function readEmail(): string {
  const email = new URLSearchParams(location.hash.slice(1)).get('email');
  return email === null ? '' : `#email=${encodeURIComponent(email)}`;
}

/** /login: the sign-in page of the account service in a frame, whose address the service returns (AUTH-02). */
export function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { next, ended }: { next?: string; ended?: string } = useSearch({ strict: false });
  const [failed, setFailed] = useState<unknown>();
  const [prefill] = useState(readEmail);
  useEffect(() => {
    // Addresses end up in histories and screenshots.
    if (prefill !== '') history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  }, [prefill]);
  const frameAddress = useQuery({
    queryKey: ['login-frame'],
    queryFn: async () => (await call(accounts.loginFrame, {})).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const onMessage = useCallback((message: FrameMessage) => void follow(message, safeReturn(next)).catch(setFailed), [next]);
  const frame = useFrameMessages(frameAddress.data, onMessage);
  useEffect(() => {
    document.title = `${t('session.signIn')} · Highline`;
  }, [t]);

  const problem = failed ?? frameAddress.error;
  return (
    <main className="login" aria-label={t('session.signIn')}>
      <h1 className="unseen">{t('session.signIn')}</h1>
      {/* The message of the failed call (AUTH-06) and what it means. */}
      {ended !== undefined && (
        <p className="login__ended" role="status">
          <strong>{t('errors.session_invalid')}</strong> {t(ended === 'kept' ? 'session.endedKept' : 'session.ended')}
        </p>
      )}
      {problem === null || problem === undefined ? (
        frameAddress.data !== undefined && (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- a sandbox that allows scripts and our own origin, which sign-in needs, would protect nothing
          <iframe ref={frame} className="login__frame" src={`${frameAddress.data}${prefill}`} title={t('session.frame')} />
        )
      ) : (
        <ErrorState
          text={errorText(problem)}
          onRetry={() => {
            setFailed(undefined);
            void frameAddress.refetch();
          }}
        />
      )}
    </main>
  );
}
