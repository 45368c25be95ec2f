import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { logOutEverywhere } from '../../session/sign-out.ts';
import { useSession } from '../../api/session.ts';
import '../../ui/form/form.css';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { Rights } from '../roles/index.ts';
import { Passkeys } from './passkeys/Passkeys.tsx';
import { SecondFactor } from './second-factor/SecondFactor.tsx';
import { SessionRow } from './SessionRow.tsx';
import { endAllSessions, endSession, passwordPage, sessionsQuery } from './users.api.ts';
import './users.css';

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
  const { name, email, role, ownRole } = useSession();
  // The sign-in page requires the old password, and ends every session.
  const change = useAction<string, string>({ run: passwordPage, onDone: (address) => location.assign(address) });
  return (
    <div className="page">
      <PageHeader title={t('users.profile.title')} />
      <section className="card panel form" aria-label={t('users.profile.title')}>
        <TextInput label={t('users.column.name')} value={name} readOnly />
        <TextInput label={t('users.column.email')} value={email} readOnly />
        <TextInput label={t('users.role.label')} value={ownRole?.name ?? t(`shell.role.${role}`)} readOnly />
        {ownRole !== null && <Rights rights={ownRole.rights} />}
        <div className="form__actions">
          <Button loading={change.busy} onClick={() => change.run(email)}>
            {t('users.profile.changePassword')}
          </Button>
          <Link to="/access" search={{ mine: 'true' }}>
            {t('users.profile.visits')}
          </Link>
        </div>
      </section>
      <SecondFactor />
      <Passkeys />
      <Sessions />
    </div>
  );
}
