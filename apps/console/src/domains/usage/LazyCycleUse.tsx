import { lazy, type ReactNode, Suspense } from 'react';
import { NOT_REPORTED } from '../../ui/time/format.ts';

const Cell = lazy(async () => ({ default: (await import('./CycleUse.tsx')).CycleUse }));

/** The running cycle of a device or a SIM, loaded with the first of them that is shown. */
export function LazyCycleUse(props: { of: 'devices' | 'iccids'; id: string | null }): ReactNode {
  return (
    <Suspense fallback={<span className="dim">{NOT_REPORTED}</span>}>
      <Cell {...props} />
    </Suspense>
  );
}
