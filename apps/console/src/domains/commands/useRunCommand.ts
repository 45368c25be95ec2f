import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../api/useAction.ts';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import { type CustomCommand, runCommand, type RunResult } from './commands.api.ts';

/** A router as this room names it. */
export interface CommandTarget {
  readonly device: string;
  /** What a person calls it. */
  readonly name: string;
}

/** Ask, have the router run a command, and say what the router answered (OLD-03). */
export function useRunCommand({ device, name }: CommandTarget): {
  readonly run: (command: CustomCommand) => void;
  /** The command that the router is being asked for. */
  readonly running: string | undefined;
} {
  const { t } = useTranslation();
  const showError = useShowError();
  const [running, setRunning] = useState<string>();

  const textOf = ({ outcome, message, code }: RunResult): string => {
    if (outcome === 'unsupported') {
      const text = t('commands.answer.unsupported', { device: name });
      return message === '' ? text : `${text} ${t('commands.answer.detail', { message })}`;
    }
    if (outcome !== 'refused') return t(`commands.answer.${outcome}`, { device: name });
    return message === ''
      ? t('commands.answer.refusedCode', { device: name, code })
      : t('commands.answer.refused', { device: name, message });
  };
  const send = async (command: CustomCommand): Promise<void> => {
    setRunning(command.id);
    try {
      const answer = await runCommand(command.id, device);
      setRunning(undefined);
      await showMessage({ title: command.name, text: textOf(answer) });
    } catch (error) {
      setRunning(undefined);
      await showError(error);
    }
  };
  const confirmAndRun = async (command: CustomCommand): Promise<void> => {
    const question = {
      title: command.name,
      text: t('commands.question', { name: command.name, device: name }),
      ...(command.kind === 'reboot' ? { warning: t('commands.rebootWarning') } : {}),
      yes: t('commands.run'),
      no: t('ui.cancel'),
    };
    if (await confirmAction(question)) await send(command);
  };
  return { run: (command) => void confirmAndRun(command), running };
}
