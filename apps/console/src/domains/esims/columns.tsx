import { IconRefresh } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageLink } from '../../routing/PageLink.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Copyable } from '../../ui/CopyButton.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { canResume } from './esim.ts';
import type { ListedProfile, Profile } from './esims.api.ts';
import { ProfileStatus, useReason } from './ProfileStatus.tsx';
import { Signal } from '../../entities/devices/cells.tsx';
import { LazyCycleUse } from '../usage/index.ts';
import type { Resume } from './useResume.ts';
import './esims.css';

/** Downloads a failed eSIM again (SIM-03). Absent when nothing failed. */
export function ResumeButton({
  profile,
  resume,
  notAllowed,
}: {
  profile: Profile;
  resume: Resume;
  notAllowed: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (!canResume(profile)) return null;
  return (
    <ActionButton
      variant="light"
      icon={<IconRefresh size={14} />}
      loading={resume.busy}
      disabledReason={notAllowed}
      onClick={() => resume.run(profile)}
    >
      {t('esims.resume.download')}
    </ActionButton>
  );
}

function text(value: string): ReactNode {
  return value === '' ? <span className="dim">{NOT_REPORTED}</span> : value;
}

/** The reason why the last step failed. */
function Reason({ reason }: { reason: string }): ReactNode {
  return text(useReason(reason) ?? '');
}

/** The vehicle, as a link to the SIMs of its device. */
function Vehicle({ profile: { vehicle = '', serial, device } }: { profile: ListedProfile }): ReactNode {
  const { t } = useTranslation();
  if (vehicle === '') return text('');
  return (
    <PageLink to="/devices/setting" search={{ device, tab: 'sims' }} aria-label={t('esims.vehicleOf', { vehicle, serial })}>
      {vehicle}
    </PageLink>
  );
}

/** The signal of the SIM in use, while its router is online. */
function SignalCell({ signal }: { signal: number | null | undefined }): ReactNode {
  if (signal === null || signal === undefined) return text('');
  const dbm = Math.round(signal);
  return (
    <>
      <Signal dbm={dbm} live />{' '}
      <span className="dim" aria-hidden="true">
        {dbm} dBm
      </span>
    </>
  );
}

/** Columns of /devices/esimsList (SIM-01); the router reports carrier and ICCID later. */
export function esimColumns(t: TFunction, resume: Resume, notAllowed: string | undefined): readonly Column<ListedProfile>[] {
  const identifier = (id: 'serial' | 'iccid' | 'eid'): Omit<Column<ListedProfile>, 'pinned'> => ({
    id,
    header: t(`esims.column.${id}`),
    width: { serial: 190, iccid: 224, eid: 318 }[id],
    cell: ({ [id]: value }) =>
      value === '' ? (
        text('')
      ) : (
        <Copyable text={value} label={t(`esims.column.${id}`)}>
          <span className={id === 'serial' ? 'mono strong' : 'mono'}>{value}</span>
        </Copyable>
      ),
  });
  return [
    { ...identifier('serial'), sort: 'serial', pinned: true },
    {
      id: 'vehicle',
      header: t('esims.column.vehicle'),
      width: 120,
      phone: 'title',
      phoneCell: ({ vehicle = '', serial }) => (vehicle === '' ? serial : vehicle),
      cell: (profile) => <Vehicle profile={profile} />,
    },
    {
      id: 'status',
      header: t('esims.column.status'),
      // "Fail to download" with its button.
      width: 300,
      sort: 'status',
      phone: 'state',
      phoneCell: (profile) => <ProfileStatus profile={profile} />,
      cell: (profile) => (
        <span className="esim-status">
          <ProfileStatus profile={profile} />
          <ResumeButton profile={profile} resume={resume} notAllowed={notAllowed} />
        </span>
      ),
    },
    {
      id: 'reason',
      header: t('esims.column.reason'),
      width: 240,
      cell: ({ reason }) => <Reason reason={reason} />,
    },
    {
      id: 'name',
      header: t('esims.column.name'),
      sort: 'name',
      width: 180,
      phone: 'line',
      phoneCell: ({ name }) => name,
      cell: ({ name }) => text(name),
    },
    {
      id: 'carrier',
      header: t('esims.column.carrier'),
      sort: 'carrier',
      width: 150,
      phone: 'aside',
      phoneCell: ({ carrier }) => carrier,
      cell: ({ carrier }) => text(carrier),
    },
    {
      id: 'signal',
      header: t('esims.column.signal'),
      width: 124,
      cell: ({ signal }) => <SignalCell signal={signal} />,
    },
    { ...identifier('iccid'), sort: 'iccid', phone: 'line', phoneCell: ({ iccid }) => iccid },
    {
      id: 'cycle',
      header: t('esims.column.cycle'),
      width: 130,
      numeric: true,
      cell: ({ iccid }) => <LazyCycleUse of="iccids" id={iccid} />,
    },
    { id: 'apn', header: t('esims.column.apn'), sort: 'apn', width: 200, cell: ({ apn }) => text(apn) },
    { id: 'apn2', header: t('esims.column.apn2'), optional: true, width: 200, cell: ({ apn2 }) => text(apn2) },
    {
      id: 'priority',
      header: t('esims.column.priority'),
      width: 100,
      numeric: true,
      cell: ({ priority }) => formatNumber(priority),
    },
    { ...identifier('eid'), optional: true },
    {
      id: 'updated',
      header: t('esims.column.updated'),
      width: 130,
      sort: 'updated',
      optional: true,
      cell: ({ updated }) => <RelativeTime moment={updated} />,
    },
  ];
}
