import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Copyable } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { Minted } from './inventory.api.ts';
import './inventory.css';

/** A freshly minted secret, shown once, with all that the router's agent needs. */
export function SecretDialog({ minted, onClose }: { minted: Minted; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const rows = [
    [t('inventory.secret.secret'), minted.secret],
    [t('inventory.secret.url'), minted.url],
    [t('inventory.secret.endpoint'), minted.endpointId],
    [t('inventory.secret.controller'), minted.controllerId],
  ] as const;
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
        {rows.map(([label, value]) => (
          <div key={label} className="secret__row">
            <dt>{label}</dt>
            <dd>
              <Copyable text={value} label={label} shown>
                <code>{value}</code>
              </Copyable>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
