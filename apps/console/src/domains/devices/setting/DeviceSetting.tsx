import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../api/Loaded.tsx';
import { useSession } from '../../../session/session.ts';
import '../../../ui/form/form.css';
import '../../../ui/form/inputs.css';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/page/Skeleton.tsx';
import { CommandsPanel } from '../../commands/CommandsPanel.tsx';
import { PinnedCommands } from '../../commands/PinnedCommands.tsx';
import { PropertiesPanel } from '../../properties/PropertiesPanel.tsx';
import { ActiveConnection } from '../../remote-access/ActiveConnection.tsx';
import { RemoteActions } from '../../remote-access/RemoteActions.tsx';
import type { Target } from '../../remote-access/remote-access.api.ts';
import { RejectionNote } from '../RejectionNote.tsx';
import { deviceQuery, type DeviceDetails } from './device-setting.api.ts';
import './device-setting.css';
import { EditForm } from './EditForm.tsx';
import { ConnectionFacts, FirstContact, RouterFacts } from './Facts.tsx';
import { Measurements } from './Measurements.tsx';
import { SetUpFaults } from './SetUp.tsx';
import { SubscriptionForm } from './SubscriptionForm.tsx';
import { Timeline } from './Timeline.tsx';

function Panel({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <section className="card panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Details({ device, etag }: { device: DeviceDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  return (
    <>
      <ActiveConnection device={device.device} />
      {device.rejection !== null && <RejectionNote rejection={device.rejection} />}
      {device.agent !== null && <FirstContact agent={device.agent} />}
      <SetUpFaults setUp={device.set_up} />
      <div className="device-grid">
        {isMain && (
          <Panel id="device-subscription" title={t('deviceForms.panel.subscription')}>
            <SubscriptionForm key={device.device} device={device} etag={etag} />
          </Panel>
        )}
        <Panel id="device-edit" title={t('deviceForms.panel.record')}>
          <EditForm key={device.device} device={device} etag={etag} />
        </Panel>
        <Panel id="device-connection" title={t('deviceForms.panel.connection')}>
          <ConnectionFacts device={device} />
        </Panel>
        <Panel id="device-router" title={t('deviceForms.panel.router')}>
          <RouterFacts device={device} />
        </Panel>
      </div>
      <Panel id="device-measures" title={t('deviceForms.panel.measures')}>
        <Measurements device={device.device} />
      </Panel>
      <PropertiesPanel key={device.device} device={device.device} />
      {!isMain && <CommandsPanel target={targetOf(device)} />}
      <Timeline device={device.device} />
    </>
  );
}

/** As remote administration names it; a vehicle is easier to recognize than a serial number. */
const targetOf = ({ device, serial_number: serial, vehicleNumber }: DeviceDetails): Target => ({
  device,
  serial,
  name: vehicleNumber === '' ? serial : vehicleNumber,
});

/**
 * /devices/setting?device=…: one device, live, to edit for an administrator, to look at for a user (DEV-07, NAV-05), and for the main
 * account to extend its subscription.
 */
export function DeviceSetting(): ReactNode {
  const { t } = useTranslation();
  const { device: id = '' } = useSearch({ from: '/signed-in/devices/setting' });
  const query = useQuery(deviceQuery(id));
  const list = useSession().role === 'main' ? '/devices/orgList' : '/devices/list';
  const back = (
    <Link to={list} search={{}}>
      {t('devices.title')}
    </Link>
  );
  const device = query.data?.device;
  const title = device?.serial_number ?? t('deviceForms.device');
  return (
    <div className="page device-page" aria-busy={query.isPending}>
      <PageHeader
        title={title}
        back={back}
        sub={device?.vehicle_number}
        actions={
          device !== undefined && (
            <>
              <PinnedCommands key={`commands-${device.device}`} target={targetOf(device)} />
              <RemoteActions key={device.device} target={targetOf(device)} />
            </>
          )
        }
      />
      <Loaded
        query={query}
        gone={t('deviceForms.gone')}
        action={back}
        skeleton={
          <div className="device-grid">
            <PageSkeleton panels={2} />
          </div>
        }
      >
        {(found) => <Details {...found} />}
      </Loaded>
    </div>
  );
}
