import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from '../../../api/session.ts';
import { isPageOpen } from '../../../routing/page-rights.ts';
import type { TabProps } from './tabs.ts';
import { EditForm } from './EditForm.tsx';
import { Panel } from '../../../entities/devices/Panel.tsx';
import { PageSkeleton } from '../../../ui/page/Skeleton.tsx';
import { loadBackupsPanel } from '../../router-backups/index.ts';
import { loadSettingsPanel } from '../../router-settings/index.ts';
import { ReplaceRouter } from './ReplaceRouter.tsx';
import { actionTargetOf } from './target.ts';
import { SubscriptionForm } from './SubscriptionForm.tsx';

const Backups = lazy(async () => ({ default: (await loadBackupsPanel()).BackupsPanel }));
const RouterSettings = lazy(async () => ({ default: (await loadSettingsPanel()).DeviceSettingsPanel }));

/** What people set: vehicle, group, tags and notes, and for the main account the subscription. */
export function SettingsTab({ device, etag }: TabProps): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const isMain = session.role === 'main';
  const mayChange = useRoleFor('devices') !== 'user';
  return (
    <div className="device-grid">
      {isMain && (
        <Panel id="device-subscription" title={t('deviceForms.panel.subscription')}>
          <SubscriptionForm device={device} etag={etag} />
        </Panel>
      )}
      <Panel id="device-edit" title={t('deviceForms.panel.record')}>
        <EditForm device={device} etag={etag} />
      </Panel>
      {!isMain && (
        <Suspense fallback={<PageSkeleton panels={1} />}>
          {isPageOpen(session, '/groups/settings') && <RouterSettings device={device.device} />}
          {isPageOpen(session, '/backups') && <Backups target={actionTargetOf(device)} />}
        </Suspense>
      )}
      {mayChange && <ReplaceRouter device={device.device} />}
    </div>
  );
}
