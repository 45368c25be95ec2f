import type { ReactNode } from 'react';
import { useDelayed } from '../useDelayed.ts';
import './page.css';

/** Grey lines where a panel's contents will stand; they take their room at once and show after 200 ms only (UX: loading states). */
export function Skeleton({ lines = 3 }: { lines?: number }): ReactNode {
  const delayed = useDelayed(true);
  return (
    <div className="skeleton" aria-hidden="true" data-delayed={delayed || undefined}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="bar" />
      ))}
    </div>
  );
}

/** The panels of a page of one thing, while it is fetched. */
export function PageSkeleton({ panels = 1 }: { panels?: number }): ReactNode {
  return Array.from({ length: panels }, (_, panel) => (
    <div key={panel} className="card panel" aria-hidden="true">
      <Skeleton lines={5} />
    </div>
  ));
}
