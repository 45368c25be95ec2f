import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { NOT_REPORTED } from '../../../ui/time/format.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { Identifier, ReportedValue } from '../../../entities/devices/cells.tsx';
import { propertyOf } from '../../../entities/devices/device.ts';
import { loadTrailPanel } from '../../positions/index.ts';
import type { TabProps } from './tabs.ts';
import { Fact } from '../../../entities/devices/Fact.tsx';
import { Panel } from '../../../entities/devices/Panel.tsx';

const TrailPanel = lazy(async () => ({ default: (await loadTrailPanel()).TrailPanel }));

/** Where the router is and was (POS-04), and the cell that its mobile network reports. */
export function LocationTab({ device }: TabProps): ReactNode {
  return (
    <>
      <Suspense fallback={<Skeleton lines={8} />}>
        <TrailPanel device={device.device} estimated={device.estimated_position} />
      </Suspense>
      <CellPanel device={device} />
    </>
  );
}

function CellPanel({ device }: Pick<TabProps, 'device'>): ReactNode {
  const { t } = useTranslation();
  const cell = propertyOf(device, 'cell_id');
  const isKnown = cell !== NOT_REPORTED;
  return (
    <Panel id="device-location" title={t('devicePage.location.title')}>
      {isKnown ? (
        <dl className="facts">
          <Fact label={t('devicePage.location.cell')}>
            <Identifier value={cell} label={t('devices.column.cell_id')} />
          </Fact>
          <Fact label={t('devices.column.carrier')}>
            <ReportedValue value={device.cellular_mno} />
          </Fact>
          <Fact label={t('devices.column.technology')}>
            <ReportedValue value={device.cellular_technology} />
          </Fact>
          <Fact label={t('devicePage.location.at')}>
            <RelativeTime moment={device.last_seen} />
          </Fact>
        </dl>
      ) : (
        <EmptyState text={t('devicePage.location.none')} detail={t('devicePage.location.noneHint')} />
      )}
    </Panel>
  );
}
