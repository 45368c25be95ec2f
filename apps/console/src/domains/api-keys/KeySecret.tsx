import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Copyable } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import type { MintedKey } from './api-keys.api.ts';

/** A new key, shown once, with a call to try it with. */
export function KeySecret({ minted, onClose }: { minted: MintedKey; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { key, secret } = minted;
  const command = `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/data_manager/v1/dm/devices?limit=5`;
  return (
    <Dialog
      title={t('apiKeys.secret.title', { name: key.name })}
      onClose={onClose}
      wide
      sticky
      actions={
        <Button variant="filled" onClick={onClose}>
          {t('apiKeys.secret.done')}
        </Button>
      }
    >
      <p>{t('apiKeys.secret.once')}</p>
      <div className="key-secret">
        <Copyable text={secret} label={t('apiKeys.secret.key')} shown>
          <code>{secret}</code>
        </Copyable>
      </div>
      {key.previousUntil !== null && (
        <p>{t('apiKeys.secret.overlap', { time: formatDateTime(new Date(key.previousUntil), zone) })}</p>
      )}
      {key.operations.includes('devices.list') && (
        <>
          <p className="dim">{t('apiKeys.secret.try')}</p>
          <div className="key-secret">
            <Copyable text={command} label={t('apiKeys.secret.try')} shown>
              <code>{command}</code>
            </Copyable>
          </div>
        </>
      )}
    </Dialog>
  );
}
