import { useState } from 'react';
import { useTranslation } from '#i18n';
import { useShowError } from '../../api/useAction.ts';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import { sentences } from '../../ui/sentences.ts';
import { type CustomCommand, runCommand, type RunResult } from './commands.api.ts';

/** The router a command runs on. */
export interface CommandTarget {
  readonly device: string;
  /** The name shown to users. */
  readonly name: string;
}

/** Confirm, run the command on the router, and show its response (OLD-03). */
export function useRunCommand({ device, name }: CommandTarget): {
  readonly run: (command: CustomCommand) => void;
  /** The command that is running. */
  readonly running: string | undefined;
} {
  const { t } = useTranslation();
  const showError = useShowError();
  const [running, setRunning] = useState<string>();

  const textOf = ({ outcome, message, code }: RunResult): string => {
    if (outcome === 'unsupported') {
      const text = t('commands.answer.unsupported', { device: name });
      return message === '' ? text : sentences([text, t('commands.answer.detail', { message })]);
    }
    if (outcome !== 'rejected') return t(`commands.answer.${outcome}`, { device: name });
    return message === ''
      ? t('commands.answer.rejectedCode', { device: name, code })
      : t('commands.answer.rejected', { device: name, message });
  };
  const send = async (command: CustomCommand): Promise<void> => {
    setRunning(command.id);
    try {
      const response = await runCommand(command.id, device);
      setRunning(undefined);
      await showMessage({ title: command.name, text: textOf(response) });
    } catch (error) {
      setRunning(undefined);
      await showError(error);
    }
  };
  const confirmAndRun = async (command: CustomCommand): Promise<void> => {
    const losesRoaming = command.kind === 'roaming' && command.argument === 'false';
    const question = {
      title: command.name,
      text: t('commands.question', { name: command.name, device: name }),
      ...(command.kind === 'reboot' ? { warning: t('commands.rebootWarning') } : {}),
      ...(losesRoaming ? { warning: t('commands.roamingWarning') } : {}),
      effect: losesRoaming ? ('disruptive' as const) : ('ordinary' as const),
      yes: t('commands.run'),
      no: t('ui.cancel'),
    };
    if (await confirmAction(question)) await send(command);
  };
  return { run: (command) => void confirmAndRun(command), running };
}
