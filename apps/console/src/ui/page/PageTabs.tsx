import type { ReactNode } from 'react';
import './page.css';

/**
 * The tabs of a page. Each is a link of class `tabs__tab`, because the tab is part of the address; the router marks the current one with
 * `aria-current`.
 */
export function PageTabs({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}
