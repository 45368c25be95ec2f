import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { AgentSettings } from '../devices/index.ts';
import type { Minted } from './inventory.api.ts';

/** The new secret of a router, shown once, with all that its agent needs. */
export function RouterSecret({ minted, onClose }: { minted: Minted; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <SecretDialog
      title={t('inventory.secret.title', { serial: minted.serial_number })}
      once={t('inventory.secret.once')}
      label={t('inventory.secret.secret')}
      secret={minted.secret}
      done={t('inventory.secret.done')}
      onClose={onClose}
    >
      {minted.awaitsSecretUse && <p>{t('inventory.secret.overlap')}</p>}
      <AgentSettings agent={minted} />
    </SecretDialog>
  );
}
