import type { bulkJobs } from '@highline/contract';
import { useCallback } from 'react';
import { withMessages } from '../../i18n/i18n.ts';
import { useJobTools } from './useJobTools.ts';

/** With the texts of the result: few visits of a list end in a job. */
const load = withMessages(['bulkJobs'], () => import('./remove-rows.ts'));

/** Deletes rows of a list as one job, which continues when the page is left. @returns what shows its result (BLK-01) */
export function useRemoval(
  list: bulkJobs.RowList,
  org?: string,
): (ids: readonly string[], confirmed?: string) => Promise<() => void> {
  const tools = useJobTools();
  return useCallback(
    async (ids, confirmed) => {
      const { removeRows } = await load();
      return removeRows(tools, { list, org }, ids, confirmed);
    },
    [list, org, tools],
  );
}
