import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { presenceTones } from '../../entities/devices/device.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import type { Counts } from './overview.api.ts';
import { adminTargets, type Targets } from './targets.ts';

interface CardProps {
  readonly title: string;
  /** Undefined until it is known. */
  readonly number: number | undefined;
  readonly link?: ReactNode;
  readonly children?: ReactNode;
}

function Card({ title, number, link, children }: CardProps): ReactNode {
  return (
    <section className="card panel kpi" aria-label={title}>
      <div className="overview__head">
        <h2 className="kpi__title">{title}</h2>
        {link}
      </div>
      <div className="kpi__number">{number === undefined ? <span className="bar kpi__waiting" /> : formatNumber(number)}</div>
      <div className="kpi__rest">{children}</div>
    </section>
  );
}

/** How many devices are in each state that is counted apart. */
export type StateCounts = Pick<Counts, (typeof shares)[number]>;
const shares = ['online', 'offline', 'unknown', 'parked', 'planned', 'never'] as const;
/** Off without a fault (SAY-04), or not known yet after a start: said only if there are some. */
export const apart = ['unknown', 'parked', 'planned', 'never'] as const;
const shareColors = {
  online: 'var(--ok-dot)',
  offline: 'var(--bad-dot)',
  unknown: 'var(--line-strong)',
  parked: 'var(--line-strong)',
  planned: 'var(--line-strong)',
  never: 'var(--line)',
} as const;

/** The states of devices as parts of a bar. */
export function ShareBar({ counts }: { counts: StateCounts }): ReactNode {
  return (
    <div className="share drawn" aria-hidden="true">
      {shares.map(
        (share) => counts[share] > 0 && <span key={share} style={{ flexGrow: counts[share], background: shareColors[share] }} />,
      )}
    </div>
  );
}

interface CountsCardProps {
  readonly counts: Counts | undefined;
  readonly targets?: Targets;
}

/** Devices: online, offline and expiring, each leading to the list narrowed to it (OVW-01). */
export function DevicesCard({ counts, targets = adminTargets }: CountsCardProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Card
      title={t('overview.devices')}
      number={counts?.devices}
      link={<Link {...targets.devices({})}>{t('overview.openList')}</Link>}
    >
      {counts !== undefined && (
        <>
          <ShareBar counts={counts} />
          <div className="kpi__legend">
            <Link {...targets.devices({ presence: 'online' })}>
              <StatusDot tone="ok">{t('overview.onlineCount', { shown: formatNumber(counts.online) })}</StatusDot>
            </Link>
            <Link {...targets.devices({ presence: 'offline' })}>
              <StatusDot tone="bad">{t('overview.offlineCount', { shown: formatNumber(counts.offline) })}</StatusDot>
            </Link>
            {apart.map(
              (state) =>
                counts[state] > 0 && (
                  <Link key={state} {...targets.devices({ presence: state })}>
                    <StatusDot tone={presenceTones[state]}>
                      {t(`overview.${state}Count`, { shown: formatNumber(counts[state]) })}
                    </StatusDot>
                  </Link>
                ),
            )}
            <Link {...targets.devices({ service: 'expiring' })}>
              <StatusDot tone="warn">{t('overview.expiringCount', { shown: formatNumber(counts.expired) })}</StatusDot>
            </Link>
          </div>
        </>
      )}
    </Card>
  );
}

/** How many groups there are (OVW-02). */
export function GroupsCard({ counts, targets = adminTargets }: CountsCardProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Card
      title={t('overview.groups')}
      number={counts?.group}
      link={<Link {...targets.groups({})}>{t('overview.openGroups')}</Link>}
    />
  );
}

/** People with an account, signed in now or not; an admin gets to them from here (OVW-06). */
export function UsersCard({
  users,
  targets = adminTargets,
}: {
  users: { allUserNum: number; onlineUserNum: number; offlineUserNum: number } | undefined;
  targets?: Targets;
}): ReactNode {
  const { t } = useTranslation();
  const role = useRoleFor('accounts');
  return (
    <Card
      title={t('overview.users')}
      number={users?.allUserNum}
      link={role !== 'user' && <Link {...targets.users()}>{t('overview.openList')}</Link>}
    >
      {users !== undefined && (
        <div className="kpi__legend">
          <StatusDot tone="ok">{t('overview.onlineCount', { shown: formatNumber(users.onlineUserNum) })}</StatusDot>
          <StatusDot tone="idle">{t('overview.offlineCount', { shown: formatNumber(users.offlineUserNum) })}</StatusDot>
        </div>
      )}
    </Card>
  );
}

/** How many log entries there are, leading to them (OVW-03). */
export function LogsCard({ counts, targets = adminTargets }: CountsCardProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Card title={t('overview.logs')} number={counts?.logs} link={<Link {...targets.logs()}>{t('overview.openList')}</Link>}>
      {counts !== undefined && <span className="dim">{t('overview.today', { shown: formatNumber(counts.logsToday) })}</span>}
    </Card>
  );
}
