import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Copyable } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import type { MintedWebhook } from './webhooks.api.ts';

/** The signing secret of a webhook, shown once. */
export function WebhookSecret({ minted, onClose }: { minted: MintedWebhook; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { webhook, secret } = minted;
  return (
    <Dialog
      title={t('webhooks.secret.title', { name: webhook.name })}
      onClose={onClose}
      wide
      sticky
      actions={
        <Button variant="filled" onClick={onClose}>
          {t('webhooks.secret.done')}
        </Button>
      }
    >
      <p>{t('webhooks.secret.once')}</p>
      <div className="hook-body">
        <Copyable text={secret} label={t('webhooks.secret.label')} shown>
          <code>{secret}</code>
        </Copyable>
      </div>
      <p className="dim">{t('webhooks.secret.verify')}</p>
      {webhook.previousUntil !== null && (
        <p>{t('webhooks.secret.overlap', { time: formatDateTime(new Date(webhook.previousUntil), zone) })}</p>
      )}
    </Dialog>
  );
}
