import { ActionIcon } from '../../ui/controls/Button.tsx';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { optionalPart } from '../../ui/optional-part.ts';
import { loadHeaderParts } from './loadHeaderParts.ts';

// After the page: no screen waits for it, and without it the link still leads to the alerts.
const FiringCount = optionalPart(async () => (await loadHeaderParts()).FiringCount);
const PushRenewal = optionalPart(async () => (await loadHeaderParts()).PushRenewal);

/** Leads to the alerts, where someone may open them; shows on every page how many are firing (ALR-03). */
export function AlertsButton(): ReactNode {
  const { t } = useTranslation();
  const isOpen = isPageOpen(useSession(), '/alerts');
  return (
    <>
      {isOpen && (
        <ActionIcon
          className="header__bell"
          title={t('shell.alerts')}
          renderRoot={(props) => <Link to="/alerts" search={{ state: 'open' }} {...props} />}
        >
          <IconBell size={18} stroke={1.7} aria-hidden="true" />
          <span className="unseen">{t('shell.alerts')}</span>
          <Suspense fallback={null}>
            <FiringCount />
          </Suspense>
        </ActionIcon>
      )}
      <Suspense fallback={null}>
        <PushRenewal />
      </Suspense>
    </>
  );
}
