import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
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
  const describe = useCommandDescription();
  /** The version the change is based on: the initial one, or what another user has saved since. */
  const [base, setBase] = useState(command);
  const labelOf = ({ kind }: CommandDraft) =>
    kind === 'reboot' || kind === 'report' ? undefined : t(`commands.argument.${kind}`);
  const form = useEntityForm<CommandDraft>({
    stored: { values: draftOf(command) },
    leave: 'free',
    normalize: (draft) => ({ ...draft, name: draft.name.trim(), argument: draft.argument.trim() }),
    required: { name: t('commands.field.name') },
    validate: (draft) => {
      const label = labelOf(draft);
      return label !== undefined && draft.argument === '' ? { argument: t('ui.form.required', { field: label }) } : {};
    },
    fieldOf: ({ key, field }) => {
      if (key === 'request.invalid' && field === 'argument' && label !== undefined)
        return { argument: t('ui.form.format', { field: label }) };
      return field === 'name' || field === 'argument' ? field : undefined;
    },
    save: (draft) => saveCommand(base, draft),
    onSaved: onClose,
    done: t('ui.done.saved', { msg: t('commands.command') }),
    // The answer to a stale save contains the current values.
    stale: async ({ detail }) => {
      const current = detail as CustomCommand | undefined;
      if (current === undefined) return undefined;
      setBase(current);
      const what = { name: current.name, about: describe(current) };
      return { values: draftOf(current), text: t(current.pinned ? 'commands.stalePinned' : 'commands.stale', what) };
    },
  });
  const { kind, pinned } = form.values;
  const label: string | undefined = labelOf(form.values);
  const mayPin = !pinnedFull || base?.pinned === true;
  return (
    <EntityDialog
      form={form}
      title={t(command === undefined ? 'commands.adding' : 'commands.editing')}
      submit={t('ui.save')}
      onClose={onClose}
    >
      <TextInput maxLength={40} autoComplete="off" {...form.text('name')} />
      <NativeSelect
        label={t('commands.field.kind')}
        disabled={command !== undefined}
        data={KINDS.map((value) => ({ value, label: t(`commands.kind.${value}`) }))}
        {...form.text('kind')}
        onChange={(event) => {
          const next = KINDS.find((value) => value === event.currentTarget.value) ?? 'reboot';
          form.set({ kind: next, argument: usual[next] });
        }}
      />
      {label !== undefined && kind === 'roaming' && (
        <NativeSelect
          label={label}
          data={[
            { value: 'true', label: t('commands.allowed') },
            { value: 'false', label: t('commands.forbidden') },
          ]}
          {...form.text('argument')}
        />
      )}
      {label !== undefined && kind !== 'roaming' && (
        <TextInput
          label={label}
          {...(kind === 'identify' || kind === 'zone' ? { description: t(`commands.hint.${kind}`) } : {})}
          withAsterisk
          aria-required
          maxLength={64}
          autoComplete="off"
          {...form.text('argument')}
        />
      )}
      <label className="command__pin">
        <input
          type="checkbox"
          checked={pinned}
          disabled={!mayPin}
          onChange={(event) => form.set({ pinned: event.currentTarget.checked })}
        />
        <span>
          {t('commands.field.pinned')}
          {!mayPin && <span className="dim"> {t('commands.pinnedFull')}</span>}
        </span>
      </label>
    </EntityDialog>
  );
}

function draftOf(command: CustomCommand | undefined): CommandDraft {
  const { name, kind, argument, pinned } = command ?? { name: '', kind: 'reboot', argument: '', pinned: false };
  return { name, kind, argument, pinned };
}
