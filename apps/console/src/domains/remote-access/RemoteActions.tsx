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

/** Reset PWD and Connect of a device's page: for admins, and Connect only without an active connection (DEV-07, RMT-04). */
export function RemoteActions({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const mayConnect = useSession().role === 'admin';
  const active = useQuery({ ...connectionQuery(target.device), enabled: mayConnect }).data;
  const connecting = useConnect(target);
  const reset = useResetPassword(target);
  const roleReason = mayConnect ? undefined : t('remote.adminsOnly');
  const inUse = active === undefined || active === null ? undefined : t('remote.active.inUse');
  return (
    <>
      <ActionButton icon={<IconKey size={16} />} loading={reset.busy} disabledReason={roleReason} onClick={reset.run}>
        {t('remote.reset')}
      </ActionButton>
      <ActionButton
        variant="filled"
        icon={<IconPlugConnected size={16} />}
        disabledReason={roleReason ?? inUse}
        onClick={connecting.choose}
      >
        {t('remote.connect')}
      </ActionButton>
      <ConnectDialogs target={target} connecting={connecting} />
    </>
  );
}
