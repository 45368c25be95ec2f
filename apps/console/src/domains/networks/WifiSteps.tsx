import { networks as calls } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { repairWifi, type RepairResult } from './networks.api.ts';

export interface NetworkTarget {
  readonly device: string;
  /** The name shown to users. */
  readonly name: string;
  readonly isOnline: boolean;
}

/** The button that ends a cause: a setting is switched on at the router (LIV-03). */
export function Repair({ target, cause }: { target: NetworkTarget; cause: calls.RepairableCause }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isAdmin = useRoleFor('networks') === 'admin';
  const label = t(`networks.why.repair.${cause}`);
  const onDone = async ({ outcome, message }: RepairResult): Promise<void> => {
    await client.invalidateQueries({ queryKey: ['networks', target.device] });
    if (outcome === 'done') toast(t('networks.why.done'));
    else await showMessage({ title: label, text: rejection(outcome, message) });
  };
  const rejection = (outcome: 'rejected' | 'unsupported', message: string): string => {
    if (outcome === 'unsupported') return t('networks.why.unsupported');
    return message === '' ? t('networks.why.rejectedPlain') : t('networks.why.rejected', { message });
  };
  const action = useAction<void, RepairResult>({
    run: () => repairWifi(target.device, cause),
    onDone: (result) => void onDone(result),
  });
  const confirm = async (): Promise<void> => {
    const text = t('networks.why.question', { action: label, device: target.name });
    if (await confirmAction({ title: label, text, effect: 'ordinary', yes: label, no: t('ui.cancel') })) action.run();
  };
  const disabledReason = (() => {
    if (!isAdmin) return t('networks.why.adminsOnly');
    return target.isOnline ? undefined : t('networks.why.offline');
  })();
  return (
    <ActionButton variant="filled" loading={action.busy} disabledReason={disabledReason} onClick={() => void confirm()}>
      {label}
    </ActionButton>
  );
}

/** Where a cause is dealt with that no setting of the router ends. */
export function NextStep({ device, cause }: { device: string; cause: calls.WifiCause }): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  if (cause === 'uplink-down' || cause === 'dns-fault')
    return (
      <Link to="/devices/setting" search={{ device, tab: 'uplinks' }}>
        {t('networks.why.toUplinks')}
      </Link>
    );
  if (cause === 'radio-fault' && role !== 'main')
    return (
      <Link to="/devices/setting" search={{ device, tab: 'diagnostics' }}>
        {t('networks.why.toDiagnostics')}
      </Link>
    );
  if (cause === 'data-used-up' && role !== 'main') return <Link to="/usage/plans">{t('networks.why.toPlans')}</Link>;
  return null;
}
