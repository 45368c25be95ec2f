import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Session, useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';

/** Where someone opens a group: its page, or its devices where that page is closed to them (IAM-04); undefined where neither is open. */
export function findGroupPage(session: Session, group: string): Pick<LinkProps, 'to' | 'search'> | undefined {
  const { role } = session;
  if (role === 'admin' && isPageOpen(session, '/groups/detail')) return { to: '/groups/detail', search: { group } };
  if (role !== 'main' && isPageOpen(session, '/devices/list')) return { to: '/devices/list', search: { group } };
  return undefined;
}

/** A link to a group where someone may open it, otherwise its text. */
export function GroupLink({ group, children }: { readonly group: string; readonly children: ReactNode }): ReactNode {
  const page = findGroupPage(useSession(), group);
  return page === undefined ? children : <Link {...page}>{children}</Link>;
}
