import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { deviceQuery } from '../../../entities/devices/device.api.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/page/Skeleton.tsx';
import { TerminalPanel } from '../../remote-access/index.ts';
import { targetOf } from './target.ts';

/** /devices/terminal?device=…: the command line of one device's router, as high as the window (LIV-07). */
export function DeviceTerminal(): ReactNode {
  const { t } = useTranslation();
  const { device: id = '' } = useSearch({ from: '/signed-in/devices/terminal' });
  const query = useQuery(deviceQuery(id));
  const target = query.data?.device && targetOf(query.data.device);
  const back = (
    <Link to="/devices/setting" search={{ device: id, tab: 'diagnostics' }}>
      {target?.name ?? t('deviceForms.device')}
    </Link>
  );
  return (
    <div className="page terminal-page" aria-busy={query.isPending}>
      <PageHeader title={t('remote.terminal.title', { name: target?.name ?? '' })} back={back} />
      <Loaded query={query} gone={t('deviceForms.gone')} action={back} skeleton={<PageSkeleton panels={1} />}>
        {({ device }) => (
          <section className="card panel">
            <TerminalPanel key={id} target={targetOf(device)} />
          </section>
        )}
      </Loaded>
    </div>
  );
}
