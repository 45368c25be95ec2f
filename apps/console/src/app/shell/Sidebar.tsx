import { IconLogout } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '#i18n';
import { isActive, type Screen, screensOf } from '../pages.ts';
import { useSession } from '../../api/session.ts';
import { optionalPart } from '../../ui/optional-part.ts';
import { loadHeaderParts } from './loadHeaderParts.ts';
import { Mark } from './Mark.tsx';

const SidebarViews = optionalPart(async () => (await loadHeaderParts()).SidebarViews);

const sections = ['top', 'customers', 'fleet', 'updates', 'office', 'data'] as const;

function Entry({ screen, path }: { screen: Screen; path: string }): ReactNode {
  const { language } = useTranslation().i18n;
  const active = isActive(screen, path);
  const Icon = screen.icon;
  return (
    <li>
      <Link to={screen.path} className="sidebar__entry" activeProps={{}} aria-current={active ? 'page' : undefined} search={{}}>
        <Icon size={18} stroke={1.7} />
        {screen.title[language]}
      </Link>
      {active && (
        <Suspense>
          <SidebarViews path={screen.path} />
        </Suspense>
      )}
    </li>
  );
}

/** The screens of the role, in groups, the way out, and the version and year below (NAV-02, NAV-04). */
export function Sidebar(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const mine = screensOf(session);
  const [year] = useState(() => new Date().getFullYear());
  return (
    <aside className="sidebar" aria-label="Highline">
      <div className="sidebar__brand">
        <Mark />
        Highline
      </div>
      <nav aria-label={t('shell.menu')}>
        {sections.map((section) => {
          const entries = mine.filter((screen) => screen.section === section);
          if (entries.length === 0) return null;
          return (
            <div key={section}>
              {section !== 'top' && (
                <div id={`sidebar-${section}`} className="sidebar__section">
                  {t(`shell.section.${section}`)}
                </div>
              )}
              <ul aria-labelledby={section === 'top' ? undefined : `sidebar-${section}`}>
                {entries.map((screen) => (
                  <Entry key={screen.path} screen={screen} path={path} />
                ))}
              </ul>
            </div>
          );
        })}
        <ul className="sidebar__end">
          <li>
            <Link to="/logout" className="sidebar__entry" preload={false}>
              <IconLogout size={18} stroke={1.7} />
              {t('shell.logOut')}
            </Link>
          </li>
        </ul>
      </nav>
      <footer className="sidebar__foot">{t('shell.footer', { version: session.version, year })}</footer>
    </aside>
  );
}
