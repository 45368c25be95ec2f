import { Button } from '../../ui/controls/Button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { SessionRow } from './SessionRow.tsx';
import { endSessionOf, sessionsOfQuery } from './users.api.ts';

/** Where a colleague is signed in, since when and how, with the way to end it (IAM-06). */
export function SessionsOf({ person }: { person: { readonly id: string; readonly email: string } }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const query = useQuery(sessionsOfQuery(person.id));
  const end = useAction<string, string>({
    run: async (session) => {
      await endSessionOf(person.id, session);
      return session;
    },
    onDone: (session) => {
      toast(t(session === 'all' ? 'users.sessionsOf.endedAll' : 'users.profile.ended'));
      void client.invalidateQueries({ queryKey: sessionsOfQuery(person.id).queryKey });
    },
  });
  const endAll = async () => {
    const isSure = await confirmAction({
      title: t('users.sessionsOf.endAll'),
      text: t('users.sessionsOf.question', { email: person.email }),
      means: t('users.sessionsOf.means'),
      yes: t('users.sessionsOf.endAll'),
      no: t('ui.cancel'),
      effect: 'ordinary',
    });
    if (isSure) end.run('all');
  };
  if (query.data === undefined)
    return query.error === null ? null : <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />;
  if (query.data.length === 0) return <p className="dim">{t('users.sessionsOf.none')}</p>;
  return (
    <>
      <ul className="own-sessions">
        {query.data.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => end.run(session.id)} />
        ))}
      </ul>
      <div className="form__actions">
        <Button loading={end.busy} onClick={() => void endAll()}>
          {t('users.sessionsOf.endAll')}
        </Button>
      </div>
    </>
  );
}
