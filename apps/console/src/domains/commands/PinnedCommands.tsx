import { IconTerminal } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from '../../api/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { commandsQuery } from '../../entities/commands/command.api.ts';
import { type CommandTarget, useRunCommand } from './useRunCommand.ts';

/** The organization's pinned commands as buttons, never more than two (OLD-03). */
export function PinnedCommands({ target }: { target: CommandTarget }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const isAdmin = useRoleFor('commands') === 'admin';
  const { run, running } = useRunCommand(target);
  const commands = useQuery({ ...commandsQuery, enabled: !isMain }).data ?? [];
  const pinned = commands.filter((command) => command.pinned);
  return pinned.map((command) => (
    <ActionButton
      key={command.id}
      icon={<IconTerminal size={16} />}
      loading={running === command.id}
      disabledReason={isAdmin ? undefined : t('commands.adminsOnly')}
      onClick={() => run(command)}
    >
      {command.name}
    </ActionButton>
  ));
}
