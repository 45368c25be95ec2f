import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { logOutEverywhere } from '../../session/sign-out.ts';
import { useSession } from '../../api/session.ts';
import '../../ui/form/form.css';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { NOT_REPORTED } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { browserName } from './browser-name.ts';
import { SecondFactor } from './second-factor/SecondFactor.tsx';
import { endAllSessions, endSession, type OwnSession, passwordPage, sessionsQuery } from './users.api.ts';
import './users.css';

/** One session, with the way to end it. */
function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <li className="own-session">
      <div>
        <div className="own-session__agent" title={session.userAgent}>
          {session.userAgent === '' ? NOT_REPORTED : browserName(session.userAgent)}
        </div>
        <div className="dim">
          {session.address} · {t('users.profile.lastUsed')} <RelativeTime moment={session.lastUsed} />
        </div>
      </div>
      {session.current ? (
        <span className="own-session__end dim">{t('users.profile.current')}</span>
      ) : (
        <Button className="own-session__end" onClick={onEnd}>
          {t('users.profile.end')}
        </Button>
      )}
    </li>
  );
}

function Sessions(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const query = useQuery(sessionsQuery);
  const end = useAction<string, void>({
    run: endSession,
    onDone: () => {
      toast(t('users.profile.ended'));
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  const endAll = useAction<undefined, void>({ run: () => logOutEverywhere(endAllSessions), onDone: () => undefined });
  return (
    <section className="card panel panel--stack" aria-labelledby="sessions">
      <h2 id="sessions">{t('users.profile.sessions')}</h2>
      {query.data === undefined && query.error !== null && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      <ul className="own-sessions">
        {query.data?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => end.run(session.id)} />
        ))}
      </ul>
      <div className="form__actions">
        <Button loading={endAll.busy} onClick={() => endAll.run(undefined)}>
          {t('users.profile.endAll')}
        </Button>
      </div>
    </section>
  );
}

/** /users/roleEdit: the user's own profile, read-only, with second factor and sessions (USR-03). */
export function OwnProfile(): ReactNode {
  const { t } = useTranslation();
  const { name, email, role } = useSession();
  // The sign-in page requires the old password, and ends every session.
  const change = useAction<string, string>({ run: passwordPage, onDone: (address) => location.assign(address) });
  return (
    <div className="page">
      <PageHeader title={t('users.profile.title')} />
      <section className="card panel form" aria-label={t('users.profile.title')}>
        <TextInput label={t('users.column.name')} value={name} readOnly />
        <TextInput label={t('users.column.email')} value={email} readOnly />
        <TextInput label={t('users.role.label')} value={t(`shell.role.${role}`)} readOnly />
        <div className="form__actions">
          <Button loading={change.busy} onClick={() => change.run(email)}>
            {t('users.profile.changePassword')}
          </Button>
        </div>
      </section>
      <SecondFactor />
      <Sessions />
    </div>
  );
}
