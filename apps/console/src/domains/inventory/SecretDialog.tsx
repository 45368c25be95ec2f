import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Copyable } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { AgentSettings } from '../devices/AgentSettings.tsx';
import type { Minted } from './inventory.api.ts';
import './inventory.css';

/** A freshly minted secret, shown once, with all that the router's agent needs. */
export function SecretDialog({ minted, onClose }: { minted: Minted; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('inventory.secret.title', { serial: minted.serial_number })}
      onClose={onClose}
      wide
      sticky
      actions={
        <Button variant="filled" onClick={onClose}>
          {t('inventory.secret.done')}
        </Button>
      }
    >
      <p>{t('inventory.secret.once')}</p>
      {minted.previousSecretUntil !== null && <p>{t('inventory.secret.overlap')}</p>}
      <dl className="secret">
        <div className="secret__row">
          <dt>{t('inventory.secret.secret')}</dt>
          <dd>
            <Copyable text={minted.secret} label={t('inventory.secret.secret')} shown>
              <code>{minted.secret}</code>
            </Copyable>
          </dd>
        </div>
      </dl>
      <AgentSettings agent={minted} />
    </Dialog>
  );
}
