import { ActionIcon } from '../../ui/controls/Button.tsx';
import { IconListCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { optionalPart } from '../../ui/optional-part.ts';
import { loadHeaderParts } from './loadHeaderParts.ts';

// After the page: no screen waits for it, and without it the link still leads to the jobs.
const ActiveJobs = optionalPart(async () => (await loadHeaderParts()).ActiveJobs);

/** Leads to the jobs; while some are running, it shows on every page how far they are (BLK-01). */
export function JobsButton(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  if (session.role === 'user' || !isPageOpen(session, '/jobs')) return null;
  return (
    <ActionIcon title={t('shell.jobs')} renderRoot={(props) => <Link to="/jobs" search={{}} {...props} />}>
      <IconListCheck size={18} stroke={1.7} aria-hidden="true" />
      {/* Not a label: the percentage next to it is part of the link's name too. */}
      <span className="unseen">{t('shell.jobs')}</span>
      <Suspense fallback={null}>
        <ActiveJobs />
      </Suspense>
    </ActionIcon>
  );
}
