import { startRemoval } from './bulk-jobs.api.ts';
import { type JobTools, showJob } from './show-job.ts';

/** Delete rows of a list as one job. @returns what shows its result */
export async function removeRows(tools: JobTools, ...input: Parameters<typeof startRemoval>): Promise<() => void> {
  const job = await startRemoval(...input);
  return () => showJob(job, tools);
}
