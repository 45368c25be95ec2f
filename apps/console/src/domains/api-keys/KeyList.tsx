import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../session/session.ts';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type ApiKey, fetchKeys, type MintedKey } from './api-keys.api.ts';
import './api-keys.css';
import { keyList } from './api-keys.lists.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyDetail } from './KeyDetail.tsx';
import { KeySecret } from './KeySecret.tsx';

const tones: Readonly<Record<ApiKey['state'], Tone>> = { active: 'ok', expired: 'idle', revoked: 'idle', suspended: 'warn' };

function keyColumns(t: TFunction, isMain: boolean, open: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const organization: Column<ApiKey> = {
    id: 'organization',
    header: t('apiKeys.column.organization'),
    clip: 240,
    cell: ({ org, orgName }) => (org === null ? <span className="dim">{t('apiKeys.everywhere')}</span> : orgName),
  };
  return [
    {
      id: 'name',
      header: t('apiKeys.column.name'),
      pinned: true,
      clip: 280,
      cell: (key) => (
        <button type="button" className="link" onClick={() => open(key)}>
          {key.name}
        </button>
      ),
    },
    { id: 'key', header: t('apiKeys.column.key'), cell: ({ hint }) => <span className="mono">{hint}</span> },
    ...(isMain ? [organization] : []),
    {
      id: 'state',
      header: t('apiKeys.column.state'),
      cell: ({ state }) => (
        <StatusDot tone={tones[state]} title={state === 'suspended' ? t('apiKeys.suspendedMeans') : undefined}>
          {t(`apiKeys.state.${state}`)}
        </StatusDot>
      ),
    },
    {
      id: 'may',
      header: t('apiKeys.column.may'),
      cell: ({ operations }) => t('apiKeys.calls', { count: operations.length }),
    },
    {
      id: 'used',
      header: t('apiKeys.column.used'),
      cell: ({ lastUsed }) =>
        lastUsed === null ? <span className="dim">{t('apiKeys.unused')}</span> : <RelativeTime moment={lastUsed} />,
    },
    {
      id: 'expires',
      header: t('apiKeys.column.expires'),
      cell: ({ expires }) =>
        expires === null ? <span className="dim">{t('apiKeys.never')}</span> : <DateTime moment={new Date(expires)} />,
    },
  ];
}

/** /api-keys: API keys of an organization, or of a main account and its organizations (HKS-02). */
export function KeyList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<ApiKey>();
  const [minted, setMinted] = useState<MintedKey>();
  const columns = useMemo(() => keyColumns(t, role === 'main', setShown), [t, role]);
  const list = useList({
    spec: keyList,
    topics: ['apiKeys'],
    fetchPage: ({ limit, offset = 0, org }, signal) => fetchKeys({ limit, offset, ...(org !== undefined && { org }) }, signal),
  });
  const show = (result: MintedKey) => {
    setAdding(false);
    setShown(undefined);
    setMinted(result);
    list.reload();
  };
  return (
    <ListPage
      list={list}
      title={t('apiKeys.title')}
      count={(count, total) => t('apiKeys.count', { count, shown: total })}
      actions={
        <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('apiKeys.add.open')}
        </Button>
      }
      note={<p className="dim">{t('apiKeys.hint')}</p>}
      tools={<></>}
      caption={t('apiKeys.caption')}
      columns={columns}
      rowId={({ id }) => id}
      onOpen={setShown}
    >
      {isAdding && <CreateKeyDialog org={list.state.search.org} onClose={() => setAdding(false)} onCreated={show} />}
      {shown !== undefined && (
        <KeyDetail
          shown={shown}
          onClose={() => setShown(undefined)}
          onRotated={show}
          onRevoked={() => {
            setShown(undefined);
            list.reload();
          }}
        />
      )}
      {minted !== undefined && <KeySecret minted={minted} onClose={() => setMinted(undefined)} />}
    </ListPage>
  );
}
