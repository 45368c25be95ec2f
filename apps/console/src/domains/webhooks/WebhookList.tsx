import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { ListChips } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { WebhookSecret } from './WebhookSecret.tsx';
import { fetchWebhooks, type MintedWebhook, type Webhook } from './webhooks.api.ts';
import './webhooks.css';
import { webhookList } from './webhooks.lists.ts';

const tones: Readonly<Record<Webhook['state'], Tone>> = { active: 'ok', failing: 'warn', suspended: 'bad', off: 'idle' };

function webhookColumns(t: TFunction, isMain: boolean): readonly Column<Webhook>[] {
  const organization: Column<Webhook> = {
    id: 'organization',
    header: t('webhooks.column.organization'),
    width: 240,
    cell: ({ org, orgName }) => (org === null ? <span className="dim">{t('webhooks.everywhere')}</span> : orgName),
  };
  return [
    {
      id: 'name',
      header: t('webhooks.column.name'),
      pinned: true,
      phone: 'title',
      width: 280,
      cell: ({ id, name }) => (
        <Link to="/webhooks/log" search={{ webhook: id }}>
          {name}
        </Link>
      ),
    },
    // The path can be a secret, so a list shows only the host.
    { id: 'address', header: t('webhooks.column.address'), width: 280, phone: 'line', cell: ({ url }) => new URL(url).host },
    ...(isMain ? [organization] : []),
    {
      id: 'state',
      phone: 'state',
      header: t('webhooks.column.state'),
      cell: ({ state }) => <StatusDot tone={tones[state]}>{t(`webhooks.state.${state}`)}</StatusDot>,
    },
    { id: 'events', header: t('webhooks.column.events'), cell: ({ events }) => t('webhooks.events', { count: events.length }) },
    {
      id: 'last',
      phone: 'line',
      header: t('webhooks.column.last'),
      cell: ({ lastDelivery }) =>
        lastDelivery === null ? (
          <span className="dim">{t('webhooks.none')}</span>
        ) : (
          <>
            {t(`webhooks.deliveryState.${lastDelivery.state}`)} · <RelativeTime moment={lastDelivery.at} />
          </>
        ),
    },
  ];
}

/** /webhooks: webhooks of an organization, or of a main account and its organizations (HKS-01). */
export function WebhookList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [minted, setMinted] = useState<MintedWebhook>();
  const columns = useMemo(() => webhookColumns(t, role === 'main'), [t, role]);
  const list = useList({
    spec: webhookList,
    topics: ['webhooks'],
    fetchPage: ({ limit, offset = 0, org }, signal) =>
      fetchWebhooks({ limit, offset, ...(org !== undefined && { org }) }, signal),
  });
  const { org } = list.state.search;
  const organization = useOrganizationFilter(list.state.search.org);
  return (
    <ListPage
      list={list}
      title={t('webhooks.title')}
      count={(count, total) => t('webhooks.count', { count, shown: total })}
      actions={
        <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('webhooks.form.open')}
        </Button>
      }
      note={<p className="dim">{t('webhooks.hint')}</p>}
      tools={<ListChips list={list} filters={[organization]} />}
      caption={t('webhooks.caption')}
      emptyAction={<Button onClick={() => setAdding(true)}>{t('webhooks.first')}</Button>}
      columns={columns}
      rowId={({ id }) => id}
      linkOf={({ id }) => ({ to: '/webhooks/log', search: { webhook: id } })}
    >
      {isAdding && (
        <WebhookForm
          org={org}
          hasGroups={role !== 'main' || org !== undefined}
          onClose={() => setAdding(false)}
          onCreated={(created) => {
            setAdding(false);
            // A receiver that has issued a key needs no secret of ours.
            if (created.secret !== '') setMinted(created);
            list.reload();
          }}
        />
      )}
      {minted !== undefined && <WebhookSecret minted={minted} onClose={() => setMinted(undefined)} />}
    </ListPage>
  );
}
