import { IconPencil, IconPin, IconPinnedOff, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useRoleFor } from '../../api/session.ts';
import { ActionButton, IconButton } from '../../ui/ActionButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { CommandDialog } from './CommandDialog.tsx';
import { type CustomCommand, deleteCommand, pinCommand } from './commands.api.ts';
import { commandsQuery } from '../../entities/commands/command.api.ts';
import './commands.css';
import { useCommandDescription } from './useCommandDescription.ts';
import { type CommandTarget, useRunCommand } from './useRunCommand.ts';

const MOST_COMMANDS = 32;
const MOST_PINNED = 2;

/** One command: what it does, and its actions. */
function Line({
  command,
  target,
  pinnedFull,
  onEdit,
}: {
  command: CustomCommand;
  target: CommandTarget;
  pinnedFull: boolean;
  onEdit: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const describe = useCommandDescription();
  const mayChange = useRoleFor('commands') === 'admin';
  const { run, running } = useRunCommand(target);
  const { id, name, pinned } = command;
  const pin = useAction<boolean, void>({ run: (isPinned) => pinCommand(id, isPinned), onDone: () => {} });
  const remove = useAction<void, void>({ run: () => deleteCommand(id), onDone: () => toast(t('ui.done.deleted')) });
  const confirmRemove = async (): Promise<void> => {
    const question = { title: t('ui.dialog.warningTitle'), text: t('commands.removing', { name }) };
    if (await confirmAction({ ...question, effect: 'permanent' })) remove.run();
  };
  return (
    <li className="command">
      <div className="command__what">
        <span className="command__name">{name}</span>
        <span className="dim">{describe(command)}</span>
      </div>
      <div className="command__actions">
        {mayChange && (
          <>
            <ActionButton
              variant="subtle"
              icon={pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
              label={t(pinned ? 'commands.unpinOf' : 'commands.pinOf', { name })}
              loading={pin.busy}
              disabledReason={!pinned && pinnedFull ? t('commands.pinnedFull') : undefined}
              onClick={() => pin.run(!pinned)}
            >
              {t(pinned ? 'commands.unpin' : 'commands.pin')}
            </ActionButton>
            <IconButton label={t('commands.editOf', { name })} icon={<IconPencil size={16} />} onClick={onEdit} />
            <IconButton
              label={t('commands.removeOf', { name })}
              icon={<IconTrash size={16} />}
              disabled={remove.busy}
              onClick={() => void confirmRemove()}
            />
          </>
        )}
        <ActionButton
          label={t('commands.runOf', { name })}
          loading={running === id}
          disabledReason={mayChange ? undefined : t('commands.adminsOnly')}
          onClick={() => run(command)}
        >
          {t('commands.run')}
        </ActionButton>
      </div>
    </li>
  );
}

/** The organization's own commands on a device's page: run, pinned, changed by an administrator, seen by a user (OLD-03). */
export function CommandsPanel({ target }: { target: CommandTarget }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const mayChange = useRoleFor('commands') === 'admin';
  const query = useQuery(commandsQuery);
  const [edited, setEdited] = useState<CustomCommand | 'new'>();
  const commands = query.data;
  const pinnedFull = (commands ?? []).filter(({ pinned }) => pinned).length >= MOST_PINNED;
  return (
    <section className="card panel" aria-labelledby="device-commands" aria-busy={query.isPending}>
      <div className="commands__head">
        <h2 id="device-commands">{t('commands.title')}</h2>
        {mayChange && (
          <ActionButton
            icon={<IconPlus size={16} />}
            disabledReason={commands !== undefined && commands.length >= MOST_COMMANDS ? t('commands.tooMany') : undefined}
            onClick={() => setEdited('new')}
          >
            {t('commands.add')}
          </ActionButton>
        )}
      </div>
      {query.isPending && <Skeleton lines={2} />}
      {query.isError && commands === undefined && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      {commands?.length === 0 && (
        <p className="dim">
          {t('commands.none')} {mayChange && t('commands.noneHint')}
        </p>
      )}
      {commands !== undefined && commands.length > 0 && (
        <ul className="commands">
          {commands.map((command) => (
            <Line key={command.id} command={command} target={target} pinnedFull={pinnedFull} onEdit={() => setEdited(command)} />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <CommandDialog
          command={edited === 'new' ? undefined : edited}
          pinnedFull={pinnedFull}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  );
}
