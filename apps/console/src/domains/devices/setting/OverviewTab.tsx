import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PropertiesPanel } from '../../properties/index.ts';
import type { TabProps } from './tabs.ts';
import { ConnectionFacts, RouterFacts } from './Facts.tsx';
import { HealthPanel } from './HealthPanel.tsx';
import { useNarrow } from '../../../ui/useNarrow.ts';
import { Panel } from '../../../entities/devices/Panel.tsx';
import { Problems } from './Problems.tsx';
import { ReadingsPanel } from './ReadingsPanel.tsx';
import { LatestEvents } from './Timeline.tsx';

/** What keeps it from working, its facts, readings, latest events and properties; on a phone the latest events come first. */
export function OverviewTab({ device, loadedAt }: TabProps): ReactNode {
  const { t } = useTranslation();
  const { device: id } = device;
  const isNarrow = useNarrow();
  const latest = (
    <Panel
      id="device-latest"
      title={t('timeline.latest')}
      more={
        <>
          <Link to="/outages" search={{ device: id }}>
            {t('timeline.outages')}
          </Link>
          <Link to="/devices/setting" search={{ device: id, tab: 'timeline' }}>
            {t('timeline.whole')}
          </Link>
        </>
      }
    >
      <LatestEvents device={id} />
    </Panel>
  );
  return (
    <>
      <Problems device={device} />
      {isNarrow && latest}
      <div className="device-grid">
        <Panel id="device-connection" title={t('deviceForms.panel.connection')}>
          <ConnectionFacts device={device} />
        </Panel>
        <Panel id="device-router" title={t('deviceForms.panel.router')}>
          <RouterFacts device={device} loadedAt={loadedAt} />
        </Panel>
      </div>
      <HealthPanel device={device} />
      <ReadingsPanel device={id} name={device.device_name} />
      {!isNarrow && latest}
      <PropertiesPanel device={id} />
    </>
  );
}
