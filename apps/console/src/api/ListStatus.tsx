import type { ReactNode } from 'react';
import { Freshness } from '../ui/page/Freshness.tsx';
import { useLiveLink } from './live.ts';

/** 'Updated 12 s ago · live', for the line below a title. */
export function ListStatus({ updatedAt }: { updatedAt: number }): ReactNode {
  return <Freshness updatedAt={updatedAt} link={useLiveLink()} />;
}
