import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../../api/Loaded.tsx';
import { useSession } from '../../../api/session.ts';
import { lastSearch } from '../../../ui/list/last-search.ts';
import '../../../ui/form/form.css';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PageTabs } from '../../../ui/page/PageTabs.tsx';
import { PageSkeleton } from '../../../ui/page/Skeleton.tsx';
import { loadNetworkTabs } from '../../networks/index.ts';
import { DeviceActions, OpenCommands, PinnedCommands } from '../../commands/index.ts';
import { ActiveConnection, ConnectAction } from '../../remote-access/index.ts';
import { Identifier } from '../../../entities/devices/cells.tsx';
import { deviceQuery } from '../../../entities/devices/device.api.ts';
import './device-setting.css';
import { DeviceStatus } from './DeviceHeader.tsx';
import { DiagnosticsTab } from './DiagnosticsTab.tsx';
import { Findings } from './Findings.tsx';
import { LocationTab } from './LocationTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { SimsTab } from './SimsTab.tsx';
import { deviceTabs, type DeviceTab, type TabProps } from './tabs.ts';
import { actionTargetOf, targetOf } from './target.ts';
import { ToolsTab } from './ToolsTab.tsx';
import { Timeline } from './Timeline.tsx';

const NetworkTab = lazy(async () => ({ default: (await loadNetworkTabs()).NetworkTab }));

const contents: Readonly<Record<DeviceTab, (props: TabProps) => ReactNode>> = {
  overview: OverviewTab,
  timeline: ({ device }) => <Timeline device={device.device} />,
  sims: SimsTab,
  location: LocationTab,
  uplinks: networkTab('uplinks'),
  wifi: networkTab('wifi'),
  clients: networkTab('clients'),
  diagnostics: DiagnosticsTab,
  tools: ToolsTab,
  settings: SettingsTab,
};

/** A tab of the networks, loaded when it is opened. */
function networkTab(part: 'uplinks' | 'wifi' | 'clients'): (props: TabProps) => ReactNode {
  return function NetworksOfDevice({ device }) {
    const target = { ...targetOf(device), isOnline: device.presence === 'online' };
    return (
      <Suspense fallback={<PageSkeleton panels={1} />}>
        <NetworkTab part={part} target={target} />
      </Suspense>
    );
  };
}

function Tabs({ device, current }: { device: string; current: DeviceTab }): ReactNode {
  const { t } = useTranslation();
  return (
    <PageTabs label={t('devicePage.tabs')}>
      {deviceTabs.map((tab) => (
        <Link
          key={tab}
          to="/devices/setting"
          search={tab === 'overview' ? { device } : { device, tab }}
          className="tabs__tab"
          activeOptions={{ exact: true }}
          activeProps={{}}
          aria-current={tab === current ? 'page' : undefined}
          // Back leads to the list, not through the tabs.
          replace
          resetScroll={false}
        >
          {t(`devicePage.tab.${tab}`)}
        </Link>
      ))}
    </PageTabs>
  );
}

/**
 * /devices/setting?device=…&tab=…: one device, live (DPG-01): for an admin to edit, for a user to look at (DEV-07, NAV-05), and for the
 * main account to extend its subscription.
 */
export function DeviceSetting(): ReactNode {
  const { t } = useTranslation();
  const { device: id = '', tab = 'overview' } = useSearch({ from: '/signed-in/devices/setting' });
  const query = useQuery(deviceQuery(id));
  const list = useSession().role === 'main' ? '/devices/orgList' : '/devices/list';
  const back = (
    <Link to={list} search={lastSearch(list)}>
      {t('devices.title')}
    </Link>
  );
  const device = query.data?.device;
  const { serial_number: serial = '', vehicle_number: vehicle = '' } = device ?? {};
  const Content = contents[tab];
  return (
    <div className="page device-page" aria-busy={query.isPending}>
      <PageHeader
        title={vehicle || serial || t('deviceForms.device')}
        aside={vehicle !== '' && <Identifier value={serial} label={t('devices.column.serial')} />}
        back={back}
        actions={
          device !== undefined && (
            <>
              <PinnedCommands key={`commands-${id}`} target={targetOf(device)} />
              <DeviceActions key={`actions-${id}`} target={actionTargetOf(device)} />
              <ConnectAction key={id} target={targetOf(device)} />
            </>
          )
        }
      />
      {query.data !== null && (
        <>
          <DeviceStatus device={device} />
          {device !== undefined && tab === 'overview' && <Findings device={device} />}
          <Tabs device={id} current={tab} />
        </>
      )}
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
        {(found) => (
          <>
            <ActiveConnection device={id} />
            <OpenCommands device={id} />
            <Content key={id} {...found} loadedAt={query.dataUpdatedAt} />
          </>
        )}
      </Loaded>
    </div>
  );
}
