import type { ReactNode } from 'react';
import { Freshness } from '../ui/page/Freshness.tsx';
import { useDataAge } from './dataAge.ts';
import { useLiveLink } from './live.ts';

/** 'Updated 12 s ago · live', for the line below a title. The age is that of the data, which may come from a replica that is behind. */
export function ListStatus({ updatedAt }: { updatedAt: number }): ReactNode {
  const link = useLiveLink();
  const age = useDataAge();
  return <Freshness updatedAt={updatedAt === 0 ? 0 : updatedAt - age} link={link} />;
}
