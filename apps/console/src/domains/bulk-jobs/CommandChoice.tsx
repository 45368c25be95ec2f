import type { rollouts, sentCommands } from '@highline/contract';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { commandsQuery } from '../../entities/commands/command.api.ts';
import { type Job, type JobAction, startConfirmed } from '../../entities/jobs/bulk-jobs.api.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type WindowName, windowNamed, WindowSelect } from '../../entities/commands/WindowSelect.tsx';
import { WaitSelect } from '../../entities/commands/WaitSelect.tsx';
import type { ChoiceProps } from './choice.ts';
import { devicesText } from '../../entities/jobs/job.ts';

/** Actions that need no command of the organization (LIV-01), with their arguments. */
const builtIn = {
  reboot: '',
  'restart-modem': '',
  report: '',
  identify: '30',
  'apply-settings': '',
  'backup-config': '',
  'set-password': 'admin',
} as const satisfies Partial<Record<sentCommands.SentKind, string>>;
type BuiltIn = keyof typeof builtIn;
const builtInKinds = Object.keys(builtIn) as readonly BuiltIn[];

interface Picked {
  readonly name: string;
  /** Why vehicles may lose their connection. */
  readonly risk: 'restart' | 'settings' | undefined;
  readonly actionOf: (wait: number | undefined, window: rollouts.UpdateWindow | undefined) => JobAction;
}

function riskOf(kind: string): Picked['risk'] {
  if (kind === 'apply-settings') return 'settings';
  return kind === 'reboot' || kind === 'restart-modem' ? 'restart' : undefined;
}

/** A command of the organization that does not wait is run as ever; any other is sent (LIV-09). */
function pickedOf(t: TFunction, id: string, commands: readonly { id: string; name: string; kind: string }[]): Picked | undefined {
  const command = commands.find((each) => each.id === id);
  const kind = builtInKinds.find((each) => each === id);
  if (command !== undefined)
    return {
      name: command.name,
      risk: riskOf(command.kind),
      actionOf: (wait, window) =>
        wait === undefined
          ? { kind: 'command', command: id }
          : { kind: 'send', command: id, wait, ...(window === undefined ? {} : { window }) },
    };
  if (kind === undefined) return undefined;
  const argument = builtIn[kind];
  return {
    name: t(`bulkJobs.send.${kind}`),
    risk: riskOf(kind),
    actionOf: (wait, window) => ({
      kind: 'send',
      send: kind,
      ...(argument === '' ? {} : { argument }),
      ...(wait === undefined ? {} : { wait }),
      ...(window === undefined ? {} : { window }),
    }),
  };
}

/** Sends a built-in command, or one of the organization, to the chosen devices, after a question with its effect. */
export function CommandChoice({ chosen, onClose, onStarted }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  const { data: commands = [], isPending } = useQuery(commandsQuery);
  const [id, setId] = useState<string>();
  const [wait, setWait] = useState<number>();
  const [windowName, setWindowName] = useState<WindowName>('any');
  const zone = useZone();
  // A choice that changed by itself would send another command than the one that was read.
  const selected = id ?? (isPending ? '' : (commands[0]?.id ?? 'reboot'));
  const run = useAction<void, Job | undefined>({
    run: async () => {
      const picked = pickedOf(t, selected, commands);
      if (picked === undefined) return undefined;
      const action = picked.actionOf(wait, wait === undefined ? undefined : windowNamed(windowName, zone));
      const away = wait === undefined ? 'bulkJobs.command.offline' : 'bulkJobs.command.waits';
      return startConfirmed(chosen, action, async ({ devices, online }, isAgain) => {
        const offline = devices - online;
        return confirmAction({
          title: picked.name,
          text: sentences([
            ...(isAgain ? [t('bulkJobs.changed')] : []),
            t('bulkJobs.command.question', { name: picked.name, devices: devicesText(t, devices) }),
          ]),
          means: sentences([
            t('bulkJobs.command.online', { count: online, shown: formatNumber(online) }),
            ...(offline > 0 ? [t(away, { count: offline, shown: formatNumber(offline) })] : []),
          ]),
          ...(picked.risk === undefined ? {} : { warning: t(`bulkJobs.command.${picked.risk}`) }),
          effect: picked.risk === undefined ? 'ordinary' : 'disruptive',
          yes: t('bulkJobs.command.run'),
          no: t('ui.cancel'),
        });
      });
    },
    onDone: (job) => job !== undefined && onStarted(job),
  });
  const own = commands.map((command) => ({ value: command.id, label: command.name }));
  const kinds = builtInKinds.map((kind) => ({ value: kind, label: t(`bulkJobs.send.${kind}`) }));
  return (
    <FormDialog
      title={t('bulkJobs.command.title', { devices: devicesText(t, chosen.count) })}
      submit={t('bulkJobs.command.submit')}
      busy={run.busy}
      disabledReason={isPending ? t('bulkJobs.command.loading') : undefined}
      onClose={onClose}
      onSubmit={() => run.run()}
    >
      <NativeSelect
        label={t('bulkJobs.command.command')}
        value={selected}
        data={isPending ? [] : [...own, ...kinds]}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <WaitSelect hours={wait} none={t('bulkJobs.command.noWait')} onChange={setWait} />
      {wait !== undefined && <WindowSelect value={windowName} onChange={setWindowName} />}
    </FormDialog>
  );
}
