import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { cancelJob, type Job, retryJob, undoJob } from './bulk-jobs.api.ts';
import { showJob } from './show-job.ts';
import { useJobTools } from './useJobTools.ts';

/** Shows the result of a job, or that it has begun. */
export function useShowJob(): (job: Job) => void {
  const tools = useJobTools();
  return useCallback((job: Job) => showJob(job, tools), [tools]);
}

/** What can be done with a job. */
export function useJobActions(onFollower: (job: Job) => void) {
  const { t } = useTranslation();
  const show = useShowJob();
  const follow = (job: Job) => {
    show(job);
    onFollower(job);
  };
  const cancel = useAction({ run: cancelJob, onDone: () => toast(t('bulkJobs.toast.cancelled')) });
  const retry = useAction({ run: retryJob, onDone: follow });
  const undo = useAction({ run: undoJob, onDone: follow });
  const confirmUndo = async (id: string) => {
    const question = { title: t('bulkJobs.undo'), text: t('bulkJobs.undoQuestion'), means: t('bulkJobs.undoMeans') };
    if (await confirmAction({ ...question, yes: t('bulkJobs.undo'), no: t('ui.cancel'), effect: 'ordinary' })) undo.run(id);
  };
  return { cancel, retry, undo: { busy: undo.busy, run: (id: string) => void confirmUndo(id) } };
}
