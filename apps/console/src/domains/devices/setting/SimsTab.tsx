import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { useRoleFor, useSession } from '../../../api/session.ts';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { ShortTable } from '../../../ui/table/ShortTable.tsx';
import { type Profile, ProfileStatus, routerProfilesQuery, useReason } from '../../esims/index.ts';
import { Identifier, ReportedValue } from '../../../entities/devices/cells.tsx';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import { loadDeviceUse } from '../../usage/index.ts';
import type { TabProps } from './tabs.ts';
import { Fact } from '../../../entities/devices/Fact.tsx';
import { Panel } from '../../../entities/devices/Panel.tsx';

const DeviceUse = lazy(async () => ({ default: (await loadDeviceUse()).DeviceUse }));

function SimInUse({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const identifiers = [
    ['imsi', device.cellular_imsi],
    ['iccid', device.cellular_iccid],
    ['mtn', device.cellular_mtn],
    ['imei', device.cellular_imei],
    ['eid', device.cellular_eid],
  ] as const;
  return (
    <dl className="facts">
      <Fact label={t('devices.column.carrier')}>
        <ReportedValue value={device.cellular_mno} />
      </Fact>
      {identifiers.map(([id, value]) => (
        <Fact key={id} label={t(`devices.column.${id}`)}>
          <Identifier value={value} label={t(`devices.column.${id}`)} />
        </Fact>
      ))}
    </dl>
  );
}

/** The state of an eSIM, and why it is in it. */
function State({ profile }: { profile: Profile }): ReactNode {
  const reason = useReason(profile.reason);
  return (
    <>
      <ProfileStatus profile={profile} />
      {reason !== undefined && <div className="dim">{reason}</div>}
    </>
  );
}

function profileColumns(t: TFunction): readonly Column<Profile>[] {
  return [
    { id: 'place', header: t('devicePage.sims.place'), numeric: true, phone: 'aside', cell: ({ priority }) => priority },
    {
      id: 'name',
      header: t('esims.column.name'),
      phone: 'title',
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    { id: 'status', header: t('esims.column.status'), phone: 'state', cell: (profile) => <State profile={profile} /> },
    {
      id: 'carrier',
      header: t('esims.column.carrier'),
      phone: 'line',
      cell: ({ carrier }) => <ReportedValue value={carrier} />,
    },
    { id: 'iccid', header: t('esims.column.iccid'), phone: 'line', cell: ({ iccid }) => <ReportedValue value={iccid} /> },
    { id: 'apn', header: t('esims.column.apn'), phone: 'line', cell: ({ apn }) => apn },
  ];
}

/** The eSIMs of the router by priority, to look at; an admin changes them on their own page. */
function Profiles({ serial, eid }: { serial: string; eid: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useQuery(routerProfilesQuery({ serial, eid }));
  if (query.isPending) return <Skeleton />;
  if (query.data === undefined) return <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />;
  const profiles = query.data.profiles.filter(({ pk }) => pk !== '');
  if (profiles.length === 0) return <p className="dim">{t('devicePage.sims.none')}</p>;
  return (
    <ShortTable
      className="device-table"
      caption={t('esims.caption')}
      columns={profileColumns(t)}
      rows={profiles}
      rowId={({ pk }) => pk}
    />
  );
}

/** The SIM in use, and the eSIMs of the router. */
export function SimsTab({ device }: TabProps): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const isAdmin = useRoleFor('esims') === 'admin';
  const { serial_number: serial, cellular_eid: eid } = device;
  const hasEid = eid !== null && eid !== '';
  const manage =
    isAdmin && hasEid ? (
      <Link to="/devices/esimsAdd" search={{ method: 'manual', serial, eid }}>
        {t('deviceForms.sims')}
      </Link>
    ) : (
      !isMain && (
        <Link to="/devices/esimsList" search={{ search: serial }}>
          {t('devicePage.sims.list')}
        </Link>
      )
    );
  return (
    <>
      <Panel id="device-sim" title={t('devicePage.sims.inUse')}>
        <SimInUse device={device} />
      </Panel>
      <Panel id="device-esims" title={t('devicePage.sims.profiles')} more={manage}>
        {hasEid ? <Profiles serial={serial} eid={eid} /> : <p className="dim">{t('devicePage.sims.noEid')}</p>}
      </Panel>
      <Suspense>
        <DeviceUse device={device.device} />
      </Suspense>
    </>
  );
}
