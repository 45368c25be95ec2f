import { lazy, type ReactNode, Suspense } from 'react';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { loadToolsTab } from '../../tools/index.ts';
import type { TabProps } from './tabs.ts';

const ToolsPanels = lazy(async () => ({ default: (await loadToolsTab()).ToolsPanels }));

/** Tests that the router runs by itself (LIV-04, LIV-05, LIV-06). */
export function ToolsTab({ device }: TabProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <ToolsPanels device={device.device} org={device.org} isOnline={device.presence === 'online'} />
    </Suspense>
  );
}
