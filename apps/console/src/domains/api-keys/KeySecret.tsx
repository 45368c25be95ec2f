import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { SecretBox, SecretDialog } from '../../ui/SecretDialog.tsx';
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
    <SecretDialog
      title={t('apiKeys.secret.title', { name: key.name })}
      once={t('apiKeys.secret.once')}
      label={t('apiKeys.secret.key')}
      secret={secret}
      done={t('apiKeys.secret.done')}
      onClose={onClose}
    >
      {key.previousUntil !== null && (
        <p>{t('apiKeys.secret.overlap', { time: formatDateTime(new Date(key.previousUntil), zone) })}</p>
      )}
      {key.operations.includes('devices.list') && <SecretBox label={t('apiKeys.secret.try')} text={command} />}
    </SecretDialog>
  );
}
