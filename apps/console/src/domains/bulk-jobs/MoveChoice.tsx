import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { GroupSelect, useChosenGroup } from '../../entities/groups/GroupSelect.tsx';
import { useConfirmMove } from '../../entities/groups/useConfirmRestart.ts';
import { type Job, startConfirmed } from '../../entities/jobs/bulk-jobs.api.ts';
import type { ChoiceProps } from './choice.ts';
import { Effect } from '../../entities/jobs/Effect.tsx';
import { devicesText } from '../../entities/jobs/job.ts';

/** The default group of every organization. */
const DEFAULT = 'default+group+id';

/** Moves the chosen devices to a group; what the group starts on them at once is confirmed first. */
export function MoveChoice({ chosen, onClose, onStarted }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  const [key, setKey] = useState(DEFAULT);
  const group = useChosenGroup(key, undefined, true);
  const confirmMove = useConfirmMove();
  const action = { kind: 'move', group: key } as const;
  const move = useAction<void, Job | undefined>({
    run: () =>
      startConfirmed(
        chosen,
        action,
        async ({ arrivals }, isAgain) =>
          arrivals === null ||
          confirmMove(group.name, arrivals, t('bulkJobs.move.submit'), isAgain ? t('bulkJobs.move.changed') : ''),
      ),
    onDone: (job) => job !== undefined && onStarted(job),
  });
  return (
    <FormDialog
      title={t('bulkJobs.move.title', { devices: devicesText(t, chosen.count) })}
      submit={t('bulkJobs.move.submit')}
      busy={move.busy}
      onClose={onClose}
      onSubmit={() => move.run()}
    >
      <GroupSelect label={t('bulkJobs.move.group')} value={group} onChange={setKey} />
      <Effect chosen={chosen} action={action} />
    </FormDialog>
  );
}
