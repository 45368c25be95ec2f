import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { REFRESH_MS } from '../../api/useList.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { NOT_REPORTED } from '../../ui/time/format.ts';
import { cycleUse } from './cycle-use.ts';

/** What a device, or a SIM, used in the running cycle: a cell of lists (USE-02). */
export function CycleUse({ of, id }: { of: 'devices' | 'iccids'; id: string | null }): ReactNode {
  const query = useQuery({
    queryKey: ['usage', 'cycle', of, id],
    queryFn: () => cycleUse(of, id ?? ''),
    enabled: id !== null && id !== '',
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  if (query.data === undefined) return <span className="dim">{NOT_REPORTED}</span>;
  return <span title={`${query.data.total} B`}>{formatBytes(query.data.total)}</span>;
}
