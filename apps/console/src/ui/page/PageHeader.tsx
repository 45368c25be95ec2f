import { type ReactNode, useEffect, useRef } from 'react';
import './page.css';

export interface PageHeaderProps {
  readonly title: string;
  /** Next to the title: an identifier of the same thing. */
  readonly aside?: ReactNode;
  /** Below the title: counts, how fresh it is. */
  readonly sub?: ReactNode;
  /** Above the title: the way back. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
}

// The first page of a visit leaves the focus at the top, near the skip link; later pages focus their title.
let visited = false;

/** The title of a screen; it sets the tab's title, and takes the focus after navigation. */
export function PageHeader({ title, aside, sub, back, actions }: PageHeaderProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (visited) heading.current?.focus({ preventScroll: true });
    visited = true;
  }, []);
  useEffect(() => {
    document.title = `${title} · Highline`;
  }, [title]);
  return (
    <header className="page-header">
      <div className="page-header__titles">
        {back !== undefined && <div className="page-header__back">{back}</div>}
        <div className="page-header__title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {aside}
        </div>
        {sub !== undefined && <div className="page-header__sub">{sub}</div>}
      </div>
      {actions !== undefined && <div className="page-header__actions">{actions}</div>}
    </header>
  );
}
