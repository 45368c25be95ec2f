import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { isPageOpen } from './page-rights.ts';

interface PageLinkProps extends Pick<LinkProps, 'search'> {
  readonly to: NonNullable<LinkProps['to']>;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A link to a page that is open to the person, otherwise its text (IAM-03, IAM-04, IAM-05). */
export function PageLink({ children, ...link }: PageLinkProps): ReactNode {
  return isPageOpen(useSession(), link.to) ? <Link {...link}>{children}</Link> : children;
}
