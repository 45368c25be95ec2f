import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import type { MintedWebhook } from './webhooks.api.ts';

/** The signing secret of a webhook, shown once. */
export function WebhookSecret({ minted, onClose }: { minted: MintedWebhook; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { webhook, secret } = minted;
  return (
    <SecretDialog
      title={t('webhooks.secret.title', { name: webhook.name })}
      once={t('webhooks.secret.once')}
      label={t('webhooks.secret.label')}
      secret={secret}
      done={t('webhooks.secret.done')}
      onClose={onClose}
    >
      <p className="dim">{t('webhooks.secret.verify')}</p>
      {webhook.previousUntil !== null && (
        <p>{t('webhooks.secret.overlap', { time: formatDateTime(new Date(webhook.previousUntil), zone) })}</p>
      )}
    </SecretDialog>
  );
}
