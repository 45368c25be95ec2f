import { IconAddressBook, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { PeopleLink } from '../../entities/people/PeopleLink.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { fetchProviders, type Provider } from './identity-providers.api.ts';
import './identity-providers.css';
import { providerList } from './identity-providers.lists.ts';
import { ProviderDialog } from './ProviderDialog.tsx';
import { ProviderForm } from './ProviderForm.tsx';

function providerColumns(t: TFunction, isMain: boolean, open: (provider: Provider) => void): readonly Column<Provider>[] {
  const organization: Column<Provider> = {
    id: 'organization',
    header: t('providers.column.organization'),
    width: 220,
    phone: 'line',
    cell: ({ org, orgName }) => (org === null ? <span className="dim">{t('providers.ofMain')}</span> : orgName),
  };
  return [
    {
      id: 'name',
      header: t('providers.column.name'),
      pinned: true,
      phone: 'title',
      width: 260,
      cell: (provider) => (
        <button type="button" className="link" onClick={() => open(provider)}>
          {provider.name}
        </button>
      ),
    },
    ...(isMain ? [organization] : []),
    {
      id: 'state',
      header: t('providers.column.state'),
      phone: 'state',
      cell: ({ enabled, required, domains }) => {
        if (!enabled) return <StatusDot tone="idle">{t('providers.state.off')}</StatusDot>;
        if (domains.every(({ confirmed }) => confirmed === null))
          return <StatusDot tone="warn">{t('providers.state.unconfirmed')}</StatusDot>;
        return <StatusDot tone="ok">{t(required ? 'providers.state.required' : 'providers.state.on')}</StatusDot>;
      },
    },
    {
      id: 'domains',
      header: t('providers.column.domains'),
      width: 280,
      phone: 'line',
      cell: ({ domains }) => domains.map(({ domain }) => domain).join(', '),
    },
    { id: 'people', header: t('providers.column.people'), cell: ({ people }) => String(people) },
  ];
}

/** /identity-providers: the identity providers of the own company, and of the organizations of a main account (IAM-01). */
export function ProviderList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<Provider>();
  const columns = useMemo(() => providerColumns(t, role === 'main', setShown), [t, role]);
  const list = useList({
    spec: providerList,
    topics: ['providers'],
    fetchPage: ({ limit, offset = 0 }, signal) => fetchProviders({ limit, offset }, signal),
  });
  const show = (provider: Provider | undefined) => {
    setAdding(false);
    setShown(provider);
    list.reload();
  };
  return (
    <ListPage
      list={list}
      title={t('providers.title')}
      back={<PeopleLink />}
      count={(count, total) => t('providers.count', { count, shown: total })}
      actions={
        <>
          {role === 'admin' && (
            <Button
              leftSection={<IconAddressBook size={16} />}
              renderRoot={(props) => <Link to="/identity-providers/directory" {...props} />}
            >
              {t('providers.directory')}
            </Button>
          )}
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('providers.add')}
          </Button>
        </>
      }
      note={<p className="dim">{t('providers.hint')}</p>}
      tools={<></>}
      caption={t('providers.title')}
      emptyAction={<Button onClick={() => setAdding(true)}>{t('providers.first')}</Button>}
      columns={columns}
      rowId={({ id }) => id}
    >
      {isAdding && <ProviderForm onClose={() => setAdding(false)} onSaved={show} />}
      {shown !== undefined && <ProviderDialog provider={shown} onClose={() => setShown(undefined)} onChanged={show} />}
    </ListPage>
  );
}
