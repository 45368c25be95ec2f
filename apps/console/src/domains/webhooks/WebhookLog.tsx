import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { useList } from '../../api/useList.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { WebhookActions } from './WebhookActions.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { WebhookSecret } from './WebhookSecret.tsx';
import { fetchDeliveries, type MintedWebhook, type Webhook, type WebhookDelivery, webhookQuery } from './webhooks.api.ts';
import './webhooks.css';
import { deliveryList } from './webhooks.lists.ts';

const tones: Readonly<Record<WebhookDelivery['state'], Tone>> = { waiting: 'busy', delivered: 'ok', failed: 'bad' };
const states = ['waiting', 'delivered', 'failed'] as const;

function deliveryColumns(t: TFunction, open: (delivery: WebhookDelivery) => void): readonly Column<WebhookDelivery>[] {
  return [
    {
      id: 'event',
      header: t('webhooks.column.event'),
      pinned: true,
      phone: 'title',
      cell: (delivery) => (
        <button type="button" className="link mono" onClick={() => open(delivery)}>
          {delivery.type}
        </button>
      ),
    },
    {
      id: 'state',
      phone: 'state',
      header: t('webhooks.column.state'),
      cell: ({ state }) => <StatusDot tone={tones[state]}>{t(`webhooks.deliveryState.${state}`)}</StatusDot>,
    },
    { id: 'device', header: t('webhooks.column.device'), width: 170, phone: 'line', cell: ({ device }) => device ?? '' },
    { id: 'time', header: t('webhooks.column.time'), phone: 'aside', cell: ({ at }) => <RelativeTime moment={at} /> },
    { id: 'attempts', header: t('webhooks.column.attempts'), cell: ({ attempts }) => attempts },
    {
      id: 'answer',
      phone: 'line',
      header: t('webhooks.column.answer'),
      width: 220,
      cell: ({ status, error }) => status ?? error,
    },
    {
      id: 'next',
      header: t('webhooks.column.next'),
      cell: ({ next }) => (next === null ? '' : <DateTime moment={new Date(next)} />),
    },
  ];
}

/** What stops or endangers a webhook, as a sentence. */
function Health({ webhook }: { webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { state, suspendedBy, failingSince } = webhook;
  if (state === 'off') return <p className="note">{t('webhooks.log.off')}</p>;
  if (state === 'suspended') {
    const why = suspendedBy === null ? t('webhooks.log.byFailures') : t('webhooks.log.byPerson', { by: suspendedBy });
    return (
      <p className="note" role="status">
        {t('webhooks.log.suspended', { why })}
      </p>
    );
  }
  if (failingSince === null) return null;
  return (
    <p className="note" role="status">
      {t('webhooks.log.failing', { time: formatDateTime(new Date(failingSince), zone) })}
    </p>
  );
}

function Log({ webhook }: { webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const [shown, setShown] = useState<WebhookDelivery>();
  const [minted, setMinted] = useState<MintedWebhook>();
  const columns = useMemo(() => deliveryColumns(t, setShown), [t]);
  const list = useList({
    spec: deliveryList,
    topics: ['webhooks'],
    fetchPage: ({ limit, offset = 0, state }, signal) =>
      fetchDeliveries(webhook.id, { limit, offset, ...(state !== undefined && { state }) }, signal),
  });
  const filter = list.state.search.state ?? '';
  return (
    <ListPage
      list={list}
      title={webhook.name}
      back={<Link to="/webhooks">{t('webhooks.log.back')}</Link>}
      count={(count, total) => t('webhooks.log.count', { count, shown: total })}
      actions={<WebhookActions webhook={webhook} onEdit={() => setEditing(true)} onRotated={setMinted} />}
      note={
        <>
          <p className="dim mono">{new URL(webhook.url).host}</p>
          <Health webhook={webhook} />
        </>
      }
      tools={
        <NativeSelect
          className="hook-state"
          aria-label={t('webhooks.log.state')}
          value={filter}
          data={[
            { value: '', label: t('webhooks.log.anyState') },
            ...states.map((value) => ({ value, label: t(`webhooks.deliveryState.${value}`) })),
          ]}
          onChange={(event) => {
            const state = states.find((each) => each === event.currentTarget.value);
            void navigate({ to: '/webhooks/log', search: { webhook: webhook.id, ...(state !== undefined && { state }) } });
          }}
        />
      }
      caption={t('webhooks.log.caption')}
      columns={columns}
      rowId={({ id }) => id}
      onOpen={setShown}
    >
      {isEditing && (
        <WebhookForm
          webhook={webhook}
          hasGroups={webhook.org !== null}
          onClose={() => setEditing(false)}
          onSaved={() => setEditing(false)}
        />
      )}
      {shown !== undefined && <DeliveryDialog webhook={webhook} delivery={shown} onClose={() => setShown(undefined)} />}
      {minted !== undefined && <WebhookSecret minted={minted} onClose={() => setMinted(undefined)} />}
    </ListPage>
  );
}

/** /webhooks/log: a webhook, what was sent to it, and what it answered (HKS-01). */
export function WebhookLog(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = new URLSearchParams(location.search).get('webhook') ?? '';
  const found = useQuery(webhookQuery(id));
  if (found.isSuccess && found.data !== null) return <Log webhook={found.data} />;
  return (
    <div className="page" aria-busy={found.isPending}>
      <PageHeader title={t('webhooks.title')} />
      {found.isPending ? (
        <Skeleton lines={8} />
      ) : (
        <ErrorState text={found.isError ? errorText(found.error) : t('webhooks.log.gone')} onRetry={() => void found.refetch()} />
      )}
    </div>
  );
}
