import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useShowError } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { cancelJob, type Job, retryJob, undoJob } from './bulk-jobs.api.ts';

/** Shows the result of a job, or that it has begun, with Undo where it can be undone. */
export function useShowJob(): (job: Job) => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  return useCallback(
    (job: Job) => {
      const show = (shown: Job) => {
        void client.invalidateQueries({ queryKey: ['jobs'] });
        if (shown.ended === null) return toast(t('bulkJobs.toast.started'));
        const { done, skipped, failed } = shown;
        const text = [
          t('bulkJobs.toast.done', { count: done, shown: formatNumber(done) }),
          ...(skipped > 0 ? [t('bulkJobs.toast.skipped', { shown: formatNumber(skipped) })] : []),
          ...(failed > 0 ? [t('bulkJobs.toast.failed', { shown: formatNumber(failed) })] : []),
        ].join(' · ');
        const undo = { label: t('bulkJobs.undo'), onPick: () => void undoJob(shown.id).then(show, showError) };
        toast(text, failed > 0 ? 'bad' : 'ok', shown.undoable ? undo : undefined);
      };
      show(job);
    },
    [t, client, showError],
  );
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
    if (await confirmAction({ ...question, yes: t('bulkJobs.undo'), no: t('ui.cancel') })) undo.run(id);
  };
  return { cancel, retry, undo: { busy: undo.busy, run: (id: string) => void confirmUndo(id) } };
}
