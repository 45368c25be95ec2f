import { countedPresence } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { useRoleFor } from '../../api/session.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Copyable } from '../../ui/CopyButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { AgentSettings, RejectionNote } from '../devices/index.ts';
import { presenceTones } from '../../entities/devices/device.ts';
import { Fact } from '../../entities/devices/Fact.tsx';
import { CertificatesPanel } from './CertificatesPanel.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { endPreviousSecret, type RouterDetails, routerQuery } from './inventory.api.ts';
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

/** Whether the new secret of a rotation is used, until when the former one is valid, and its end. */
function PreviousSecret({ router, reload }: { router: RouterDetails; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const { id, serial_number: serial, awaitsSecretUse, previousSecretUntil: until } = router;
  const { run, busy } = useAction<string, unknown>({ run: endPreviousSecret, onDone: reload });
  const notAllowed = useNotAllowed('inventory.endPreviousSecret');
  if (!awaitsSecretUse && until === null) return null;
  const yes = t('inventory.secret.end');
  const confirm = async () => {
    const text = t('inventory.secret.confirmEnd', { serial });
    if (await confirmAction({ title: yes, text, yes, no: t('ui.cancel'), effect: 'permanent' })) run(id);
  };
  return (
    <div className="note" role="status">
      {awaitsSecretUse ? (
        <span>{t('inventory.secret.unused')}</span>
      ) : (
        <span>
          {t('inventory.secret.previousUntil')} <DateTime moment={until} />
        </span>
      )}
      <ActionButton variant="subtle" loading={busy} disabledReason={notAllowed} onClick={() => void confirm()}>
        {yes}
      </ActionButton>
    </div>
  );
}

function Details({ router, reload }: { router: RouterDetails; reload: () => Promise<unknown> }): ReactNode {
  const { t } = useTranslation();
  const mayChange = useRoleFor('inventory') === 'main';
  const [isRenaming, setRenaming] = useState(false);
  const secret = useNewSecret(() => void reload());
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
        <PreviousSecret router={router} reload={() => void reload()} />
        {mayChange && (
          <div className="router-actions">
            <Button onClick={() => setRenaming(true)}>{t('inventory.endpoint.change')}</Button>
            <Button onClick={() => void secret.confirm(router)}>{t('inventory.secret.rotate')}</Button>
          </div>
        )}
      </Panel>
      <CertificatesPanel router={router} reload={reload} />
      {secret.dialog}
      {isRenaming && (
        <EndpointDialog
          router={router}
          onClose={() => setRenaming(false)}
          onSaved={() => {
            setRenaming(false);
            void reload();
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
        {(router) => <Details key={router.id} router={router} reload={() => query.refetch()} />}
      </Loaded>
    </div>
  );
}
