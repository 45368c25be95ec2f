import type { rollouts } from '@highline/contract';
import {
  IconBolt,
  IconBulb,
  IconChevronDown,
  IconClock,
  IconRefresh,
  IconRestore,
  IconRouter,
  IconSend,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { sendCommand, type SentCommand } from '../../entities/commands/sent.api.ts';
import { offerActions } from '../../routing/page-actions.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { WaitDialog, type ActionTarget, type ActionKind, disruptive } from './WaitDialog.tsx';
import { titleOf } from './sent-texts.ts';

interface Sending {
  readonly kind: ActionKind;
  /** Hours; left out = the router is connected, and gets it at once. */
  readonly wait?: number;
  readonly window?: rollouts.UpdateWindow | undefined;
  readonly confirmation?: string;
}

/** In the order of the menu: what it needs of the data model, and its argument. */
const actions: readonly {
  readonly kind: ActionKind;
  readonly needs?: string;
  readonly argument?: string;
  readonly icon: ReactNode;
}[] = [
  { kind: 'reboot', needs: 'reboot', icon: <IconRefresh size={16} /> },
  { kind: 'restart-modem', needs: 'restart-modem', icon: <IconRouter size={16} /> },
  { kind: 'report', icon: <IconSend size={16} /> },
  { kind: 'identify', needs: 'identify', argument: '30', icon: <IconBulb size={16} /> },
  { kind: 'factory-reset', needs: 'factory-reset', icon: <IconRestore size={16} /> },
];

/** Built-in actions on a router, as a menu and in the palette (LIV-01); one that is off gets them when it connects (LIV-09). */
export function DeviceActions({ target }: { target: ActionTarget }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const isAdmin = useRoleFor('commands') === 'admin';
  const [picked, setPicked] = useState<ActionKind>();
  const send = useAction<Sending, SentCommand>({
    run: ({ kind, ...more }) => {
      const argument = actions.find((action) => action.kind === kind)?.argument;
      return sendCommand({ device: target.device, kind, ...(argument === undefined ? {} : { argument }), ...more });
    },
    onDone: (sent, { wait }) => {
      setPicked(undefined);
      toast(
        t(wait === undefined ? 'commands.toast.sent' : 'commands.toast.waits', { name: titleOf(t, sent), device: target.name }),
      );
    },
  });
  const pick = async (kind: ActionKind): Promise<void> => {
    if (!target.isOnline || kind === 'factory-reset') return setPicked(kind);
    const question = {
      title: t(`commands.action.${kind}`),
      text: t(`commands.ask.${kind}`, { device: target.name }),
      effect: disruptive.has(kind) ? ('disruptive' as const) : ('ordinary' as const),
      yes: t(`commands.action.${kind}`),
      no: t('ui.cancel'),
    };
    if (await confirmAction(question)) send.run({ kind });
  };
  const items: readonly MenuItem[] = [
    ...actions.map(({ kind, needs, icon }) => ({
      id: kind,
      label: t(`commands.action.${kind}`),
      icon,
      disabledReason: reasonAgainst(kind, needs),
      onPick: () => void pick(kind),
    })),
    {
      id: 'reboot-later',
      label: t('commands.wait.restartLater'),
      icon: <IconClock size={16} />,
      disabledReason: reasonAgainst('reboot', 'reboot'),
      onPick: () => setPicked('reboot'),
    },
  ];

  function reasonAgainst(kind: ActionKind, needs: string | undefined): string | undefined {
    if (needs !== undefined && target.offers?.includes(needs) === false) return t('commands.notOffered');
    return kind === 'factory-reset' && !target.isOnline ? t('commands.resetOffline') : undefined;
  }

  usePaletteActions(isAdmin ? items : [], target.name);
  if (isMain) return null;
  if (!isAdmin)
    return (
      <ActionButton icon={<IconBolt size={16} />} disabledReason={t('commands.adminsOnly')}>
        {t('commands.actions')}
      </ActionButton>
    );
  return (
    <>
      <Menu
        label={t('commands.actions')}
        items={items}
        align="end"
        trigger={(popup) => (
          <Button {...popup} leftSection={<IconBolt size={16} />} rightSection={<IconChevronDown size={14} />}>
            {t('commands.actions')}
          </Button>
        )}
      />
      {picked === 'factory-reset' && (
        <TypedConfirm
          title={t('commands.action.factory-reset')}
          text={t('commands.ask.factory-reset', { device: target.name, serial: target.serial })}
          word={target.serial}
          confirm={t('commands.action.factory-reset')}
          busy={send.busy}
          onClose={() => setPicked(undefined)}
          onConfirm={() => send.run({ kind: picked, confirmation: target.serial })}
        />
      )}
      {picked !== undefined && picked !== 'factory-reset' && (
        <WaitDialog
          kind={picked}
          target={target}
          busy={send.busy}
          onClose={() => setPicked(undefined)}
          onSubmit={(wait, window) => send.run({ kind: picked, wait, window })}
        />
      )}
    </>
  );
}

/** Those that are possible, with the name of the vehicle, as they are now. */
function usePaletteActions(items: readonly MenuItem[], name: string): void {
  const { t } = useTranslation();
  useEffect(() =>
    offerActions(
      items
        .filter(({ disabledReason }) => disabledReason === undefined)
        .map(({ id, label, onPick }) => ({
          key: `command ${id}`,
          title: t('commands.actionOn', { action: label, device: name }),
          run: onPick,
        })),
    ),
  );
}
