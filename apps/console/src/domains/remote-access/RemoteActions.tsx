import { IconKey, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../session/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConnectDialogs } from './ConnectDialogs.tsx';
import { connectionQuery, type Target } from './remote-access.api.ts';
import { useConnect } from './useConnect.ts';
import { useResetPassword } from './useResetPassword.ts';

/** Why the role or the state of the router rules out remote access; undefined = it may be tried. */
function useObstacle({ unreachable }: Target): 'role' | NonNullable<Target['unreachable']> | undefined {
  return useSession().role === 'admin' ? unreachable : 'role';
}

/** Connect of a device's page: for admins, with a router that can be reached, and without an active connection (DEV-07, RMT-04, RMT-05). */
export function ConnectAction({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const obstacle = useObstacle(target);
  const active = useQuery({ ...connectionQuery(target.device), enabled: obstacle !== 'role' }).data;
  const connecting = useConnect(target);
  const reasons = {
    role: t('remote.adminsOnly'),
    offline: t('errors.remote_offline'),
    not_subscribed: t('errors.remote_not_subscribed'),
  };
  const inUse = active === undefined || active === null ? undefined : t('remote.active.inUse');
  return (
    <>
      <ActionButton
        variant="filled"
        icon={<IconPlugConnected size={16} />}
        disabledReason={obstacle === undefined ? inUse : reasons[obstacle]}
        onClick={connecting.choose}
      >
        {t('remote.connect')}
      </ActionButton>
      <ConnectDialogs target={target} connecting={connecting} />
    </>
  );
}

/** Reset PWD of a device's page: for admins, with a router that can be reached (DEV-07, RMT-06). */
export function ResetAction({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const obstacle = useObstacle(target);
  const reset = useResetPassword(target);
  const reason = obstacle === 'role' ? t('remote.adminsOnly') : obstacle && t('errors.remote_reset_impossible');
  return (
    <ActionButton icon={<IconKey size={16} />} loading={reset.busy} disabledReason={reason} onClick={reset.run}>
      {t('remote.reset')}
    </ActionButton>
  );
}
