import type { ReactNode } from 'react';
import { useDelayed } from '../useDelayed.ts';
import './page.css';

/** Placeholder lines of a panel; they reserve their space immediately and show after 200 ms only (UX: loading states). */
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

/** The placeholder panels of a detail page while it loads. */
export function PageSkeleton({ panels = 1 }: { panels?: number }): ReactNode {
  return Array.from({ length: panels }, (_, panel) => (
    <div key={panel} className="card panel" aria-hidden="true">
      <Skeleton lines={5} />
    </div>
  ));
}
