import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatDate, formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import type { Attention } from './attention.api.ts';
import { NamedDevices } from './NamedDevices.tsx';
import type { Targets } from './targets.ts';

type Found = NonNullable<Attention['deviation']>;

/** A range as '0–1', or one number. */
const rangeText = ({ least, most }: NonNullable<Found['usual']>): string =>
  least === most ? formatNumber(most) : `${formatNumber(least)}–${formatNumber(most)}`;

function commonOf(shared: Found['shared'], isFleet: boolean, t: TFunction): string[] {
  if (shared === null) return [];
  const { name, projectName, devices } = shared;
  // A process of an earlier version names no organization.
  const kind = isFleet && Boolean(projectName) ? 'groupOf' : shared.kind;
  const what = { name, organization: projectName ?? '' };
  return [
    devices === shared.of
      ? t(`overview.deviation.all.${kind}`, what)
      : t(`overview.deviation.most.${kind}`, { ...what, count: devices }),
  ];
}

/**
 * '5 of 11 offline now (usually 0–1), all on US Cellular, since 10:58'.
 * @param since as it is shown
 * @param isFleet the devices are those of several organizations
 */
function sentenceOf({ offline, devices, usual, shared }: Found, since: string, isFleet: boolean, t: TFunction): string {
  const counts = { offline: formatNumber(offline), devices: formatNumber(devices) };
  const first =
    usual === null
      ? t('overview.deviation.now', counts)
      : t('overview.deviation.nowUsually', { ...counts, usual: rangeText(usual) });
  return [first, ...commonOf(shared, isFleet, t), t('overview.deviation.since', { time: since })].join(
    t('overview.deviation.joined'),
  );
}

/** How the fleet differs from what is usual at this hour of the week, before everything else (SAY-01). */
export function Deviation({
  found,
  targets,
  isFleet,
}: {
  readonly found: Found;
  readonly targets: Pick<Targets, 'devices' | 'map'>;
  readonly isFleet: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const { since, shared } = found;
  const isToday = formatDate(since, zone) === formatDate(now, zone);
  // The day and the seconds of a change within this day say nothing.
  const shown = formatDateTime(since, zone).slice(isToday ? 11 : 0, 16);
  const filter = {
    presence: 'offline' as const,
    ...(shared?.kind === 'carrier' ? { carrier: shared.name } : {}),
  };
  return (
    <div className="attention__deviation">
      <p>
        {/* The list of all organizations has no filter by carrier. */}
        <Link {...targets.devices(isFleet ? { presence: 'offline' } : filter)}>
          <StatusDot tone="bad">
            <strong>{sentenceOf(found, shown, isFleet, t)}</strong>
          </StatusDot>
        </Link>{' '}
        {targets.map !== undefined && (
          <>
            · <Link {...targets.map(filter)}>{t('overview.deviation.map')}</Link>
          </>
        )}
      </p>
      <NamedDevices devices={found.latest} of={shared?.devices ?? found.latest.length} isFleet={isFleet} />
    </div>
  );
}
