import type { bulkJobs } from '@highline/contract';
import { useCallback } from 'react';
import { withMessages } from '../../i18n/i18n.ts';
import { removeRows } from './show-job.ts';
import { useJobTools } from './useJobTools.ts';

/** Texts of the result, apart from the list: few visits of it end in a job. */
const loadTexts = withMessages(['bulkJobs'], () => Promise.resolve());

/** Deletes rows of a list as one job, which continues when the page is left. @returns what shows its result (BLK-01) */
export function useRemoval(
  list: bulkJobs.RowList,
  org?: string,
): (ids: readonly string[], confirmed?: string) => Promise<() => void> {
  const tools = useJobTools();
  return useCallback(
    async (ids, confirmed) => {
      await loadTexts();
      return removeRows(tools, { list, org }, ids, confirmed);
    },
    [list, org, tools],
  );
}
