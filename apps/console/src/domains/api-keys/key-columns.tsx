import type { TFunction } from 'i18next';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import type { ApiKey } from './api-keys.api.ts';

const tones: Readonly<Record<ApiKey['state'], Tone>> = { active: 'ok', expired: 'idle', revoked: 'idle', suspended: 'warn' };

export function keyColumns(t: TFunction, isMain: boolean, open: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const organization: Column<ApiKey> = {
    id: 'organization',
    header: t('apiKeys.column.organization'),
    text: ({ org, orgName }) => (org === null ? t('apiKeys.everywhere') : orgName),
    width: 240,
    cell: ({ org, orgName }) => (org === null ? <span className="dim">{t('apiKeys.everywhere')}</span> : orgName),
  };
  return [
    {
      id: 'name',
      header: t('apiKeys.column.name'),
      text: ({ name }) => name,
      pinned: true,
      width: 280,
      phone: 'title',
      cell: (key) => (
        <button type="button" className="link" onClick={() => open(key)}>
          {key.name}
        </button>
      ),
    },
    {
      id: 'key',
      header: t('apiKeys.column.key'),
      text: ({ hint }) => hint,
      width: 150,
      cell: ({ hint }) => <span className="mono">{hint}</span>,
    },
    ...(isMain ? [organization] : []),
    {
      id: 'state',
      header: t('apiKeys.column.state'),
      phone: 'state',
      text: ({ state }) => t(`apiKeys.state.${state}`),
      width: 130,
      cell: ({ state }) => (
        <StatusDot tone={tones[state]} title={state === 'suspended' ? t('apiKeys.suspendedMeans') : undefined}>
          {t(`apiKeys.state.${state}`)}
        </StatusDot>
      ),
    },
    {
      id: 'may',
      phone: 'aside',
      header: t('apiKeys.column.may'),
      text: ({ operations }) => t('apiKeys.calls', { count: operations.length }),
      width: 120,
    },
    {
      id: 'used',
      phone: 'line',
      header: t('apiKeys.column.used'),
      text: ({ lastUsed }) => lastUsed ?? '',
      width: 130,
      cell: ({ lastUsed }) =>
        lastUsed === null ? <span className="dim">{t('apiKeys.unused')}</span> : <RelativeTime moment={lastUsed} />,
    },
    {
      id: 'expires',
      header: t('apiKeys.column.expires'),
      text: ({ expires }) => expires ?? t('apiKeys.never'),
      width: 190,
      cell: ({ expires }) =>
        expires === null ? <span className="dim">{t('apiKeys.never')}</span> : <DateTime moment={new Date(expires)} />,
    },
  ];
}
