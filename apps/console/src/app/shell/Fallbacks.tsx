import { Button } from '../../ui/controls/Button.tsx';
import { accounts } from '@highline/contract';
import { type ErrorComponentProps, useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../api/client.ts';
import { ApiError, isNetworkFault } from '../../api/errors.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { LoadingFault } from '../../ui/loading-fault.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { readStored, writeStored } from '../../ui/storage.ts';
import { useDelayed } from '../../ui/useDelayed.ts';

function HomeLink(): ReactNode {
  const { t } = useTranslation();
  return (
    <Button
      renderRoot={(root) => (
        <a {...root} href="/">
          {root.children}
        </a>
      )}
    >
      {t('shell.home')}
    </Button>
  );
}

/** The place of a page whose files take longer than a moment, so that a slow network does not look like a page that does nothing. */
export function Pending(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="page" aria-busy="true">
      <div className="unseen" role="status">
        <h1>{t('shell.loading')}</h1>
      </div>
      <PageSkeleton panels={2} />
    </div>
  );
}

/** A page that takes longer says that it is loading, ms. */
export const SLOW_MS = 500;

/** The pages; before the server has said who is signed in, on a slow network, that they are loading: without the shell, which depends on it. */
export function Opening({ children }: { children: ReactNode }): ReactElement {
  const { t } = useTranslation();
  const isSlow = useDelayed(useRouterState({ select: ({ matches }) => matches.length === 0 }), SLOW_MS);
  return (
    <>
      {children}
      {isSlow && (
        <main className="lost" aria-busy="true">
          <div role="status">
            <h1>{t('shell.loading')}</h1>
          </div>
        </main>
      )}
    </>
  );
}

/** No page has this address: inside the shell, which has the sidebar. */
export function NoPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="page">
      <PageHeader title={t('shell.notFound')} />
      <EmptyState text={t('shell.notFoundHint')} action={<HomeLink />} />
    </div>
  );
}

/** No page has this address, and no user is signed in. */
export function NotFound(): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t('shell.notFound')} · Highline`;
  }, [t]);
  return (
    <main className="lost">
      <EmptyState text={t('shell.notFound')} action={<HomeLink />} />
    </main>
  );
}

const ASK_EVERY_MS = 2_000;
const RELOADED = 'highline.reloadedAt';
/** A file that the server lacks must not reload the page for ever. */
const RELOAD_AGAIN_MS = 60_000;

function reload(): void {
  writeStored(RELOADED, Date.now(), sessionStorage);
  location.reload();
}

/** Open the page again as soon as the server answers. */
function useReloadOnReturn(active: boolean): void {
  useEffect(() => {
    const before = readStored(RELOADED, sessionStorage);
    if (!active || (typeof before === 'number' && Date.now() - before < RELOAD_AGAIN_MS)) return undefined;
    const ask = () => {
      void call(accounts.introspect, {}).then(reload, (error: unknown) => {
        if (!isNetworkFault(error) && !isBusy(error)) reload();
      });
    };
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [active]);
}

/** A proxy answers so while there is no server behind it. */
const isBusy = (error: unknown): boolean => error instanceof ApiError && error.status >= 502;

/** A page failed: its files or its first data could not be fetched, or it is faulty. */
export function Broken({ error }: ErrorComponentProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isUnloaded = isNetworkFault(error) || error instanceof LoadingFault;
  useReloadOnReturn(isUnloaded);
  // Messages of the browser name files; the person needs to know what happens next (ATT-05).
  const text = isUnloaded ? t('shell.notLoaded') : `${t('shell.broken')} ${errorText(error)}`;
  return <ErrorState text={text} onRetry={() => location.reload()} />;
}
