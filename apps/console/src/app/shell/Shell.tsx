import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { createSignInCheck, reloadAfterEnd } from '../../session/sign-out.ts';
import { useLostSince } from '../../api/connection.ts';
import { startLive } from '../../api/live.ts';
import { NotAllowed } from '../../domains/permissions/feature.ts';
import { VisitBanner } from '../../domains/visits/feature.ts';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { Drawer } from './Drawer.tsx';
import { Header } from './Header.tsx';
import { Sidebar } from './Sidebar.tsx';
import { useAskBeforeLeaving } from './useAskBeforeLeaving.ts';
import { LanguageOffer } from './LanguageOffer.tsx';
import { PrintHead } from './PrintHead.tsx';
import './shell.css';
import '../../ui/print.css';

/** Above this width the sidebar is open by default, below it is closed (NAV-03). */
const wide = matchMedia('(width > 1024px)');

function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}

interface SidebarChoice {
  readonly open: boolean;
  /** Where the choice was made: on a narrow window it ends with the page, on any with the width. */
  readonly wide: boolean;
  readonly path: string;
}

/** Open by default on wide windows, closed on narrow ones, where it closes again when a page was chosen (NAV-03). */
function useSidebar() {
  const isWide = useWide();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [choice, setChoice] = useState<SidebarChoice>();
  const counts = choice !== undefined && choice.wide === isWide && (isWide || choice.path === path);
  const open = counts ? choice.open : isWide;
  const choose = (next: boolean) => setChoice({ open: next, wide: isWide, path });
  return { isWide, open, toggle: () => choose(!open), close: () => choose(false) };
}

function useLiveUpdates(): void {
  const client = useQueryClient();
  const { id: account } = useSession();
  // A changed role or ended session changes everything, so the page is reloaded.
  useEffect(() => startLive({ client, account, onEnded: reloadAfterEnd, isCurrent: createSignInCheck() }), [client, account]);
}

/** The page; in place of one that the role may not open, what says so (NAV-02, IAM-08). */
function Content(): ReactNode {
  const session = useSession();
  const page = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.page });
  const isOpen = (shown: NonNullable<typeof page>) =>
    shown.roles.length === 0 || (shown.roles.includes(session.role) && isPageOpen(session, shown.path));
  if (page === undefined || isOpen(page)) return <Outlet />;
  return (
    <Suspense>
      <NotAllowed path={page.path} roles={page.roles} />
    </Suspense>
  );
}

/** The frame around every screen: skip link, sidebar, header, content (NAV-02 … 04). */
export function Shell(): ReactNode {
  const { t } = useTranslation();
  const sidebar = useSidebar();
  useLiveUpdates();
  useAskBeforeLeaving();
  const { visit, support } = useSession();
  const isLost = useLostSince() !== null;
  return (
    <div className="shell" data-sidebar={(sidebar.open && sidebar.isWide) || undefined}>
      <a
        className="shell__skip"
        href="#content"
        onClick={(event) => {
          // The address stores what the screen shows, not the focus.
          event.preventDefault();
          document.querySelector<HTMLElement>('#content')?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      {sidebar.isWide && sidebar.open && <Sidebar />}
      {!sidebar.isWide && sidebar.open && (
        <Drawer label={t('shell.menu')} onClose={sidebar.close}>
          <Sidebar />
        </Drawer>
      )}
      <div className="shell__main">
        <ConnectionBanner />
        {(visit ?? support) !== null && (
          <Suspense>
            <VisitBanner />
          </Suspense>
        )}
        <LanguageOffer />
        <Header menuOpen={sidebar.open} onMenu={sidebar.toggle} />
        <main id="content" className="shell__content" data-lost={isLost || undefined} tabIndex={-1}>
          <PrintHead />
          <Content />
        </main>
      </div>
    </div>
  );
}
