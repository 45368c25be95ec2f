import { remoteAccess } from '@highline/contract';
import { IconKey, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConnectDialogs } from './ConnectDialogs.tsx';
import { connectionQuery, connectionTypesQuery, type Target } from './remote-access.api.ts';
import { useConnect } from './useConnect.ts';
import { showConnectionError } from './useConnectionError.ts';
import { useResetPassword } from './useResetPassword.ts';

/** Why a press leads to no connection, as far as the page knows: its tooltip, and the dialog after the press (RMT-05). */
function useObstacle({ unreachable }: Target): string | undefined {
  const { t } = useTranslation();
  return unreachable && t(`errors.remote_${unreachable}`);
}

/** Connect of a device's page: for admins, and without an active connection (DEV-07, RMT-04). */
export function ConnectAction({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('remoteAccess') === 'admin';
  const unreachable = useObstacle(target);
  const active = useQuery({ ...connectionQuery(target.device), enabled: isAdmin }).data;
  const types = useQuery({ ...connectionTypesQuery(target.device), enabled: isAdmin }).data ?? remoteAccess.connectionTypes;
  const obstacle = unreachable ?? (types.length === 0 ? t('errors.remote_no_ports') : undefined);
  const connecting = useConnect(target);
  const inUse = active === undefined || active === null ? undefined : t('remote.active.inUse');
  return (
    <>
      <ActionButton
        variant="filled"
        icon={<IconPlugConnected size={16} />}
        disabledReason={isAdmin ? inUse : t('remote.adminsOnly')}
        hint={obstacle}
        onClick={() => (obstacle === undefined ? connecting.choose() : void showConnectionError(t, obstacle))}
      >
        {t('remote.connect')}
      </ActionButton>
      <ConnectDialogs target={target} types={types} connecting={connecting} />
    </>
  );
}

/** Reset PWD of a device's page: for admins (DEV-07, RMT-06). */
export function ResetAction({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('remoteAccess') === 'admin';
  const unreachable = useObstacle(target);
  const obstacle = target.unreachable === 'no_subscription' ? unreachable : unreachable && t('errors.remote_reset_impossible');
  const reset = useResetPassword(target);
  return (
    <ActionButton
      icon={<IconKey size={16} />}
      loading={reset.busy}
      disabledReason={isAdmin ? undefined : t('remote.adminsOnly')}
      hint={obstacle}
      onClick={() => (obstacle === undefined ? reset.run() : void showConnectionError(t, obstacle))}
    >
      {t('remote.reset')}
    </ActionButton>
  );
}
