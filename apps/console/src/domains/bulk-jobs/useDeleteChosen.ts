import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { sentences } from '../../ui/sentences.ts';
import { type Chosen, type Job, startConfirmed } from '../../entities/jobs/bulk-jobs.api.ts';
import { devicesText } from '../../entities/jobs/job.ts';

/** Confirms and deletes the chosen devices. @param names of all of them; undefined = they are counted */
export function useDeleteChosen(chosen: Chosen, names: readonly string[] | undefined, onStarted: (job: Job) => void) {
  const { t } = useTranslation();
  const remove = useAction<void, Job | undefined>({
    run: () =>
      startConfirmed(chosen, { kind: 'delete' }, async ({ devices: count }, isAgain) => {
        const devices = devicesText(t, count);
        return confirmAction({
          title: t('ui.dialog.warningTitle'),
          text: sentences([...(isAgain ? [t('bulkJobs.changed')] : []), t('bulkJobs.delete.question')]),
          items: names ?? [devices],
          means: t('bulkJobs.delete.means'),
          yes: t('bulkJobs.delete.yes', { devices }),
          no: t('ui.cancel'),
          effect: 'permanent',
        });
      }),
    onDone: (job) => job !== undefined && onStarted(job),
  });
  return { busy: remove.busy, confirm: () => remove.run() };
}
