import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { optionalPart } from '../../ui/optional-part.ts';
import { loadPinnedCharts, pinsQuery } from '../analysis/index.ts';
import { NotLoaded } from './NotLoaded.tsx';

const PinnedCharts = optionalPart(async () => (await loadPinnedCharts()).PinnedCharts, NotLoaded);

/** Charts pinned in Analysis (OVW-08), if there are any, and what is below them. Charts are of the whole organization (IAM-04). */
export function Pinned({ children }: { children: ReactNode }): ReactNode {
  const session = useSession();
  const seesAll = session.limitedTo === null && isPageOpen(session, '/reports/analysis');
  const query = useQuery({ ...pinsQuery(), enabled: seesAll });
  const pins = query.data ?? [];
  // What is below appears with them, where it stays.
  if (seesAll && query.isPending) return null;
  if (pins.length === 0) return children;
  const waiting = (
    <div className="pins-waiting" aria-busy="true">
      {pins.map(({ id }) => (
        <div key={id} className="card panel pins-waiting__card" />
      ))}
    </div>
  );
  return (
    <>
      <Suspense fallback={waiting}>
        <PinnedCharts pins={pins} />
      </Suspense>
      {children}
    </>
  );
}
