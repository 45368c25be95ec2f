import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { commandsQuery } from '../../entities/commands/command.api.ts';
import { type Job, previewJob, startJob } from '../../entities/jobs/bulk-jobs.api.ts';
import type { ChoiceProps } from './choice.ts';
import { devicesText } from '../../entities/jobs/job.ts';

/** Runs a command of the organization on the chosen devices, after a question with its effect. */
export function CommandChoice({ chosen, onClose, onStarted }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  const { data: commands = [], isPending } = useQuery(commandsQuery);
  const [picked, setPicked] = useState<string>();
  const command = commands.find(({ id }) => id === picked) ?? commands[0];
  const run = useAction<void, Job | undefined>({
    run: async () => {
      if (command === undefined) return undefined;
      const action = { kind: 'command', command: command.id } as const;
      const { devices, online } = await previewJob(chosen, action);
      const offline = devices - online;
      const isSure = await confirmAction({
        title: command.name,
        text: t('bulkJobs.command.question', { name: command.name, devices: devicesText(t, devices) }),
        means: sentences([
          t('bulkJobs.command.online', { count: online, shown: formatNumber(online) }),
          ...(offline > 0 ? [t('bulkJobs.command.offline', { count: offline, shown: formatNumber(offline) })] : []),
        ]),
        ...(command.kind === 'reboot' ? { warning: t('bulkJobs.command.restart') } : {}),
        effect: command.kind === 'reboot' ? 'disruptive' : 'ordinary',
        yes: t('bulkJobs.command.run'),
        no: t('ui.cancel'),
      });
      return isSure ? startJob(chosen, action) : undefined;
    },
    onDone: (job) => job !== undefined && onStarted(job),
  });
  const isMissing = command === undefined && !isPending;
  return (
    <FormDialog
      title={t('bulkJobs.command.title', { devices: devicesText(t, chosen.count) })}
      submit={t('bulkJobs.command.submit')}
      busy={run.busy}
      disabledReason={isMissing ? t('bulkJobs.bar.noCommands') : undefined}
      onClose={onClose}
      onSubmit={() => run.run()}
    >
      {isMissing ? (
        <p>{t('bulkJobs.bar.noCommands')}</p>
      ) : (
        <NativeSelect
          label={t('bulkJobs.command.command')}
          value={command?.id ?? ''}
          data={commands.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setPicked(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
