import { Button } from '../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { deliveryQuery, resendDelivery, type Webhook, type WebhookDelivery } from './webhooks.api.ts';

export interface DeliveryDialogProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly onClose: () => void;
}

/** JSON with line breaks. */
function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

/** An event of a webhook with its body and every response; send it again. */
export function DeliveryDialog({ webhook, delivery, onClose }: DeliveryDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const detail = useQuery(deliveryQuery(webhook.id, delivery.id));
  const again = useAction<void, unknown>({
    run: () => resendDelivery(webhook, delivery.id),
    onDone: () => {
      toast(t('webhooks.delivery.sentAgain'));
      void detail.refetch();
    },
  });
  const shown = detail.data;
  return (
    <Dialog
      title={delivery.type}
      onClose={onClose}
      wide
      actions={
        <>
          {shown !== undefined && shown.state !== 'waiting' && (
            <Button loading={again.busy} onClick={() => again.run()}>
              {t('webhooks.delivery.again')}
            </Button>
          )}
          <Button variant="filled" onClick={onClose}>
            {t('webhooks.delivery.close')}
          </Button>
        </>
      }
    >
      {detail.isPending && <Skeleton lines={6} />}
      {detail.isError && <ErrorState text={errorText(detail.error)} onRetry={() => void detail.refetch()} />}
      {shown !== undefined && (
        <>
          <p>
            {t('webhooks.delivery.id')}: <code>{shown.messageId}</code>
          </p>
          <h3>{t('webhooks.delivery.attempts')}</h3>
          {shown.tries.length === 0 && <p className="dim">{t('webhooks.delivery.noAttempt')}</p>}
          {shown.tries.toReversed().map((each) => (
            <div key={each.at} className="hook-try">
              <p>
                <strong>{each.status ?? t('webhooks.log.noAnswer')}</strong> · <DateTime moment={new Date(each.at)} /> ·{' '}
                {t('webhooks.delivery.took', { count: each.took })}
              </p>
              {each.error !== '' && <p>{each.error}</p>}
              {each.answer === '' ? (
                <p className="dim">{t('webhooks.delivery.empty')}</p>
              ) : (
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
                <pre className="hook-body" tabIndex={0}>
                  {each.answer}
                </pre>
              )}
            </div>
          ))}
          <h3>{t('webhooks.delivery.body')}</h3>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above */}
          <pre className="hook-body" tabIndex={0}>
            {pretty(shown.body)}
          </pre>
        </>
      )}
    </Dialog>
  );
}
