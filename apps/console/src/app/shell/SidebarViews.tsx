import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { addressOfView, pathOfList } from '../../api/views/addressOfView.ts';
import { viewsQuery } from '../../api/views/views.api.ts';
import { useSession } from '../../api/session.ts';
import './sidebar-views.css';

/** The saved views of the open list, below its entry in the sidebar (BLK-03). */
export function SidebarViews({ path }: { path: string }): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const views = useQuery(viewsQuery).data?.filter(({ list }) => pathOfList(list, role) === path) ?? [];
  const { view: open }: { readonly view?: unknown } = useSearch({ strict: false });
  if (views.length === 0) return null;
  return (
    <ul className="sidebar__views" aria-label={t('views.ofList')}>
      {views.map((view) => (
        <li key={view.id}>
          <Link
            {...addressOfView(view, role)}
            className="sidebar__view"
            activeProps={{}}
            aria-current={view.id === open ? 'page' : undefined}
            title={view.name}
          >
            {view.name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
