import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { withMessages } from '../../i18n/i18n.ts';
import { pinsQuery } from '../analysis/pins.api.ts';
import { NotLoaded } from './NotLoaded.tsx';

// Users without pins do not load the charting code.
const load = withMessages(['analysis', 'reports'], () => import('../analysis/PinnedCharts.tsx'));
const PinnedCharts = lazy(() =>
  load().then(
    (module) => ({ default: module.PinnedCharts }),
    // The rest of the overview works without them.
    () => ({ default: NotLoaded }),
  ),
);

/** Charts pinned in Analysis (OVW-08); nothing when there are none. */
export function Pinned(): ReactNode {
  const pins = useQuery(pinsQuery()).data ?? [];
  if (pins.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <PinnedCharts pins={pins} />
    </Suspense>
  );
}
