import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { showMessage } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { type CommandDraft, type CommandKind, type CustomCommand, saveCommand } from './commands.api.ts';
import { useCommandDescription } from './useCommandDescription.ts';

const KINDS: readonly CommandKind[] = ['reboot', 'identify', 'report', 'roaming', 'name', 'zone'];
/** The initial value of an argument. */
const usual: Readonly<Record<CommandKind, string>> = {
  reboot: '',
  identify: '30',
  report: '',
  roaming: 'true',
  name: '',
  zone: 'UTC0',
};

export interface CommandDialogProps {
  /** Left out for a new one. */
  readonly command: CustomCommand | undefined;
  readonly pinnedFull: boolean;
  readonly onClose: () => void;
}

/** Define or change a command; its kind is chosen once (OLD-03). */
export function CommandDialog({ command, pinnedFull, onClose }: CommandDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useId();
  const describe = useCommandDescription();
  const [given] = useState<CommandDraft>(command ?? { name: '', kind: 'reboot', argument: '', pinned: false });
  /** The version the change is based on: the initial one, or what another user has saved since. */
  const [base, setBase] = useState(command);
  const [draft, setDraft] = useState(given);
  const [problem, setProblem] = useState<{ readonly field: string; readonly text: string }>();
  const change = (part: Partial<CommandDraft>) => {
    setDraft({ ...draft, ...part });
    setProblem(undefined);
  };
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined);
  const { name, kind, argument, pinned } = draft;
  const argumentLabel = kind === 'reboot' || kind === 'report' ? undefined : t(`commands.argument.${kind}`);
  const save = useAction<CommandDraft, void>({
    run: (input) => saveCommand(base, input),
    onDone: () => {
      toast(t('ui.done.saved', { msg: t('commands.command') }));
      onClose();
    },
    onError: (error) => {
      const current = currentCommand(error);
      if (current !== undefined) return showStale(current);
      if (!(error instanceof ApiError) || (error.field !== 'name' && error.field !== 'argument')) return false;
      const isForm = error.key === 'request.invalid' && argumentLabel !== undefined && error.field === 'argument';
      setProblem({ field: error.field, text: isForm ? t('ui.form.format', { field: argumentLabel }) : errorText(error) });
      return true;
    },
  });
  /** The user's input stays. */
  const showStale = (current: CustomCommand): boolean => {
    setBase(current);
    const what = { name: current.name, about: describe(current) };
    const text = t(current.pinned ? 'commands.stalePinned' : 'commands.stale', what);
    void showMessage({ title: t('ui.dialog.warningTitle'), text });
    return true;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') setProblem({ field: 'name', text: t('ui.form.required', { field: t('commands.field.name') }) });
    else if (argumentLabel !== undefined && argument.trim() === '')
      setProblem({ field: 'argument', text: t('ui.form.required', { field: argumentLabel }) });
    else save.run({ ...draft, name: name.trim(), argument: argument.trim() });
  };
  const mayPin = !pinnedFull || base?.pinned === true;
  return (
    <Dialog
      title={t(command === undefined ? 'commands.adding' : 'commands.editing')}
      onClose={onClose}
      sticky
      actions={
        <>
          <Button disabled={save.busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <SaveButton dirty={draft !== given} saving={save.busy} form={form} />
        </>
      }
    >
      <form id={form} className="form" noValidate onSubmit={submit}>
        <TextInput
          name="name"
          label={t('commands.field.name')}
          withAsterisk
          aria-required
          maxLength={40}
          autoComplete="off"
          value={name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <NativeSelect
          name="kind"
          label={t('commands.field.kind')}
          disabled={command !== undefined}
          value={kind}
          data={KINDS.map((value) => ({ value, label: t(`commands.kind.${value}`) }))}
          onChange={(event) => {
            const next = KINDS.find((value) => value === event.currentTarget.value) ?? 'reboot';
            change({ kind: next, argument: usual[next] });
          }}
        />
        {argumentLabel !== undefined && kind === 'roaming' && (
          <NativeSelect
            name="argument"
            label={argumentLabel}
            value={argument}
            data={[
              { value: 'true', label: t('commands.allowed') },
              { value: 'false', label: t('commands.forbidden') },
            ]}
            onChange={(event) => change({ argument: event.currentTarget.value })}
          />
        )}
        {argumentLabel !== undefined && kind !== 'roaming' && (
          <TextInput
            name="argument"
            label={argumentLabel}
            {...(kind === 'identify' || kind === 'zone' ? { description: t(`commands.hint.${kind}`) } : {})}
            withAsterisk
            aria-required
            maxLength={64}
            autoComplete="off"
            value={argument}
            error={errorOf('argument')}
            onChange={(event) => change({ argument: event.currentTarget.value })}
          />
        )}
        <label className="command__pin">
          <input
            type="checkbox"
            checked={pinned}
            disabled={!mayPin}
            onChange={(event) => change({ pinned: event.currentTarget.checked })}
          />
          <span>
            {t('commands.field.pinned')}
            {!mayPin && <span className="dim"> {t('commands.pinnedFull')}</span>}
          </span>
        </label>
      </form>
    </Dialog>
  );
}

/** The current values, as the answer to a stale save contains them. */
function currentCommand(error: unknown): CustomCommand | undefined {
  const isStale = error instanceof ApiError && error.key === 'conflict.stale';
  return isStale ? (error.detail as CustomCommand | undefined) : undefined;
}
