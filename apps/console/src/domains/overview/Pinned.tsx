import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { pinsQuery } from '../analysis/analysis.api.ts';

// Nobody without a pin fetches what draws one.
const PinnedCharts = lazy(async () => ({ default: (await import('../analysis/PinnedCharts.tsx')).PinnedCharts }));

/** Charts pinned in Analysis (OVW-08); nothing where there are none. */
export function Pinned(): ReactNode {
  const pins = useQuery(pinsQuery()).data ?? [];
  if (pins.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <PinnedCharts pins={pins} />
    </Suspense>
  );
}
