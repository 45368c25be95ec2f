import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { readOwn, writeOwn } from '../../ui/preferences.ts';
import { setUpQuery } from './setup.api.ts';

/** Once all is set up, this browser does not look again. */
const COMPLETE = 'set-up-complete';

/** On the first page of who sets things up: how many steps were taken, and which is next; nothing once all are (SAY-13). */
export function SetupNote(): ReactNode {
  const { t } = useTranslation();
  const role = useRoleFor('accounts');
  const { data: steps } = useQuery({ ...setUpQuery(role), enabled: role !== 'user' && readOwn(COMPLETE) !== true });
  const next = steps?.find(({ isDone }) => !isDone);
  const isComplete = steps !== undefined && next === undefined;
  useEffect(() => {
    if (isComplete) writeOwn(COMPLETE, true);
  }, [isComplete]);
  if (steps === undefined || next === undefined) return null;
  return (
    <p className="note" role="status">
      <span>
        {t('setup.note', {
          done: steps.filter(({ isDone }) => isDone).length,
          all: steps.length,
          next: t(`setup.step.${next.id}.title`),
        })}{' '}
        <Link to="/setup">{t('setup.title')}</Link>
      </span>
    </p>
  );
}
