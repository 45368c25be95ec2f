import { bulkJobs } from '@highline/contract';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { type Job, jobQuery, undoJob } from './bulk-jobs.api.ts';
import { jobSentence, resultText } from './job.ts';

/** What the message about a job needs of the page. */
export interface JobTools {
  readonly t: TFunction;
  readonly client: QueryClient;
  readonly navigate: ReturnType<typeof useNavigate>;
  readonly showError: (error: unknown) => void;
}

/** Shows the result of a job, with Undo where it can be undone, and its details where some failed; of one that has not ended, that it has begun, and the result once there is one. */
export function showJob(job: Job, tools: JobTools): void {
  const { t, client } = tools;
  void client.invalidateQueries({ queryKey: ['jobs'] });
  if (job.ended !== null) return showResult(job, resultOf(t, job), tools);
  toast(t('bulkJobs.toast.started'));
  follow(job.id, tools);
}

/** The job is named in its result: the person may be on another page by then. One that is cancelled says so where it is cancelled. */
function follow(id: string, tools: JobTools): void {
  const { t, client } = tools;
  const stop = new QueryObserver(client, jobQuery(id)).subscribe(({ data: job }) => {
    if (job === undefined || (job !== null && job.ended === null)) return;
    stop();
    if (job === null || job.state === 'cancelled') return;
    showResult(job, endOf(t, job), tools);
  });
}

const endOf = (t: TFunction, job: Job) =>
  t('bulkJobs.toast.ended', { sentence: jobSentence(t, job), result: resultText(t, job) });

function resultOf(t: TFunction, job: Job): string {
  if (job.undo || !bulkJobs.undoableKinds.has(job.kind)) return endOf(t, job);
  const { done, skipped, failed } = job;
  return [
    t('bulkJobs.toast.done', { count: done, shown: formatNumber(done) }),
    ...(skipped > 0 ? [t('bulkJobs.toast.skipped', { shown: formatNumber(skipped) })] : []),
    ...(failed > 0 ? [t('bulkJobs.toast.failed', { shown: formatNumber(failed) })] : []),
  ].join(' · ');
}

function showResult(job: Job, text: string, tools: JobTools): void {
  const { t, navigate, showError } = tools;
  const undo = {
    label: t('bulkJobs.undo'),
    onPick: () => void undoJob(job.id).then((undone) => showJob(undone, tools), showError),
  };
  const details = {
    label: t('bulkJobs.toast.details'),
    onPick: () => void navigate({ to: '/jobs/detail', search: { job: job.id } }),
  };
  toast(text, job.failed > 0 ? 'bad' : 'ok', job.undoable ? undo : job.failed > 0 ? details : undefined);
}
