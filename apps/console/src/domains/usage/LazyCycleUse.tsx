import { type ReactNode, Suspense } from 'react';
import { optionalPart } from '../../ui/optional-part.ts';
import { NOT_REPORTED } from '../../ui/time/format.ts';

const Unknown = () => <span className="dim">{NOT_REPORTED}</span>;
const Cell = optionalPart(async () => (await import('./CycleUse.tsx')).CycleUse, Unknown);

/** The running cycle of a device or a SIM, loaded with the first of them that is shown. */
export function LazyCycleUse(props: { of: 'devices' | 'iccids'; id: string | null }): ReactNode {
  return (
    <Suspense fallback={<Unknown />}>
      <Cell {...props} />
    </Suspense>
  );
}
