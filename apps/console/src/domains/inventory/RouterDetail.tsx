import { countedPresence } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { lastSearch } from '../../ui/list/last-search.ts';
import { Copyable } from '../../ui/CopyButton.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { AgentSettings, RejectionNote } from '../devices/index.ts';
import { presenceTones } from '../../entities/devices/device.ts';
import { Fact } from '../../entities/devices/Fact.tsx';
import { CertificatesPanel } from './CertificatesPanel.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { type RouterDetails, routerQuery } from './inventory.api.ts';
import './inventory.css';
import { useNewSecret } from './useNewSecret.tsx';

function Panel({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <section className="card panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Facts({ router }: { router: RouterDetails }): ReactNode {
  const { t } = useTranslation();
  const { presence, last_seen: lastSeen, org, model, mac, created } = router;
  const connection = countedPresence(presence, lastSeen);
  return (
    <dl className="facts">
      <Fact label={t('inventory.column.presence')}>
        <StatusDot tone={presenceTones[connection]}>{t(`devices.presence.${connection}`)}</StatusDot>
      </Fact>
      <Fact label={t('inventory.detail.lastSeen')}>
        <RelativeTime moment={lastSeen} />
      </Fact>
      <Fact label={t('inventory.column.organization')}>
        {org === null ? (
          t('inventory.inStock')
        ) : (
          <Link to="/devices/orgList" search={{ org: org.id }}>
            {org.name}
          </Link>
        )}
      </Fact>
      <Fact label={t('inventory.column.model')}>{model === '' ? '--' : model}</Fact>
      <Fact label={t('inventory.column.mac')}>
        <Copyable text={mac} label={t('inventory.column.mac')}>
          <span className="mono">{mac}</span>
        </Copyable>
      </Fact>
      <Fact label={t('inventory.column.created')}>
        <DateTime moment={created} />
      </Fact>
    </dl>
  );
}

function Details({ router, reload }: { router: RouterDetails; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const secret = useNewSecret(reload);
  return (
    <>
      {router.rejection !== null && <RejectionNote rejection={router.rejection} />}
      <Panel id="router-facts" title={t('inventory.detail.router')}>
        <Facts router={router} />
      </Panel>
      <Panel id="router-agent" title={t('inventory.detail.agent')}>
        <p className="dim">
          {t(router.authentication === 'certificate' ? 'inventory.detail.agentTextCertificate' : 'inventory.detail.agentText')}
        </p>
        <AgentSettings agent={router.agent} />
        <div className="router-actions">
          <Button onClick={() => setRenaming(true)}>{t('inventory.endpoint.change')}</Button>
          <Button onClick={() => void secret.confirm(router)}>{t('inventory.secret.rotate')}</Button>
        </div>
      </Panel>
      <CertificatesPanel router={router} reload={reload} />
      {secret.dialog}
      {isRenaming && (
        <EndpointDialog
          router={router}
          onClose={() => setRenaming(false)}
          onSaved={() => {
            setRenaming(false);
            reload();
          }}
        />
      )}
    </>
  );
}

/** /inventory/router?router=…: one router of the inventory, the settings of its agent, and why it was rejected. */
export function RouterDetail(): ReactNode {
  const { t } = useTranslation();
  const { router: id = '' } = useSearch({ from: '/signed-in/inventory/router' });
  const query = useQuery(routerQuery(id));
  const back = (
    <Link to="/inventory" search={lastSearch('/inventory')}>
      {t('inventory.title')}
    </Link>
  );
  return (
    <div className="page device-page" aria-busy={query.isPending}>
      <PageHeader title={query.data?.serial_number ?? t('inventory.detail.router')} back={back} />
      <Loaded query={query} gone={t('inventory.detail.gone')} action={back} skeleton={<PageSkeleton panels={2} />}>
        {(router) => <Details router={router} reload={() => void query.refetch()} />}
      </Loaded>
    </div>
  );
}
