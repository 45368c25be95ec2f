import type { QueryClient } from '@tanstack/react-query';
import type { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { type Job, startRemoval, undoJob } from './bulk-jobs.api.ts';

/** What the message about a job needs of the page. */
export interface JobTools {
  readonly t: TFunction;
  readonly client: QueryClient;
  readonly navigate: ReturnType<typeof useNavigate>;
  readonly showError: (error: unknown) => void;
}

/** Shows the result of a job, or that it has begun, with Undo where it can be undone, and its details where some failed. */
export function showJob(job: Job, tools: JobTools): void {
  const { t, client, navigate, showError } = tools;
  void client.invalidateQueries({ queryKey: ['jobs'] });
  if (job.ended === null) return toast(t('bulkJobs.toast.started'));
  const { done, skipped, failed } = job;
  const shown = formatNumber(done);
  const text = [
    job.kind === 'remove' ? t('bulkJobs.result.done', { shown }) : t('bulkJobs.toast.done', { count: done, shown }),
    ...(skipped > 0 ? [t('bulkJobs.toast.skipped', { shown: formatNumber(skipped) })] : []),
    ...(failed > 0 ? [t('bulkJobs.toast.failed', { shown: formatNumber(failed) })] : []),
  ].join(' · ');
  const undo = {
    label: t('bulkJobs.undo'),
    onPick: () => void undoJob(job.id).then((undone) => showJob(undone, tools), showError),
  };
  const details = {
    label: t('bulkJobs.toast.details'),
    onPick: () => void navigate({ to: '/jobs/detail', search: { job: job.id } }),
  };
  toast(text, failed > 0 ? 'bad' : 'ok', job.undoable ? undo : failed > 0 ? details : undefined);
}

/** Delete rows of a list as one job. @returns what shows its result */
export async function removeRows(tools: JobTools, ...input: Parameters<typeof startRemoval>): Promise<() => void> {
  const job = await startRemoval(...input);
  return () => showJob(job, tools);
}
