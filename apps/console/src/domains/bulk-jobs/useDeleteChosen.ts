import { useTranslation } from '#i18n';
import { useAction, useShowError } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { type Chosen, type Job, startJob } from '../../entities/jobs/bulk-jobs.api.ts';
import { devicesText } from '../../entities/jobs/job.ts';

/** Confirms and deletes the chosen devices. */
export function useDeleteChosen(chosen: Chosen, onStarted: (job: Job) => void) {
  const { t } = useTranslation();
  const showError = useShowError();
  const remove = useAction<void, Job>({ run: () => startJob(chosen, { kind: 'delete' }), onDone: onStarted });
  const confirm = async () => {
    const devices = devicesText(t, chosen.count);
    const isSure = await confirmAction({
      title: t('ui.dialog.warningTitle'),
      text: t('bulkJobs.delete.question'),
      items: [devices],
      means: t('bulkJobs.delete.means'),
      yes: t('bulkJobs.delete.yes', { devices }),
      no: t('ui.cancel'),
      effect: 'permanent',
    });
    if (isSure) remove.run();
  };
  return { busy: remove.busy, confirm: () => void confirm().catch(showError) };
}
