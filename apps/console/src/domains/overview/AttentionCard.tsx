import { devices } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { reasonOf } from '../../entities/devices/device.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { readStored, writeStored } from '../../ui/storage.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { Deviation } from './Deviation.tsx';
import { NamedDevices } from './NamedDevices.tsx';
import { linesOf, notesOf, type AttentionTargets } from './attention-lines.ts';
import type { Attention, Fleet, OfflineSpan } from './attention.api.ts';

const isSpan = (value: unknown): value is OfflineSpan => devices.offlineFilters.some((known) => known === value);

/** For how long a device must be offline to need attention: chosen by each user, one hour at first. */
export function useOfflineSpan(): readonly [OfflineSpan, (span: OfflineSpan) => void] {
  const key = `highline.offline-span.${useSession().id}`;
  const [span, setSpan] = useState<OfflineSpan>(() => {
    const stored = readStored(key);
    return isSpan(stored) ? stored : '1h';
  });
  const choose = (next: OfflineSpan) => {
    writeStored(key, next);
    setSpan(next);
  };
  return [span, choose];
}

/** The devices that went offline last: since when, why, and which cell served them last. */
function LatestOffline({ found, isFleet }: { found: Attention; isFleet: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <ul className="attention__devices">
      {found.offline.latest.map(({ device, serial_number, vehicle_number, projectName, since, reason, carrier, cell }) => {
        const code = reasonOf(reason);
        const facts = [
          ...(isFleet ? [projectName] : []),
          ...(code === undefined ? [] : [t(`devices.reason.${code}`)]),
          ...(carrier === null ? [] : [carrier]),
          ...(cell === null ? [] : [t('overview.attention.cell', { cell })]),
        ];
        return (
          <li key={device}>
            <Link to="/devices/setting" search={{ device }}>
              {vehicle_number === '' ? serial_number : vehicle_number}
            </Link>{' '}
            <span className="dim">
              <RelativeTime moment={since} />
              {facts.map((fact) => ` · ${fact}`)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Critical alerts by rule and vehicle (SAY-01). */
function CriticalAlerts({ found, isFleet }: { found: Attention; isFleet: boolean }): ReactNode {
  const { criticalAlerts } = found;
  if (criticalAlerts.length === 0) return null;
  return (
    <ul className="attention__devices">
      {criticalAlerts.map((alert) => (
        <li key={alert.alert}>
          <Link to="/devices/setting" search={{ device: alert.device }}>
            {vehicleName(alert)}
          </Link>{' '}
          <span className="dim">
            {alert.ruleName}
            {isFleet && ` · ${alert.projectName}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

export interface AttentionCardProps {
  readonly found: Attention;
  readonly span: OfflineSpan;
  readonly onSpan: (span: OfflineSpan) => void;
  /** The lists that the lines open. */
  readonly targets: AttentionTargets;
  /** Of all organizations of a main account. */
  readonly fleet?: Fleet;
}

/** What is wrong and since when; each line opens the list of it (ATT-01, ATT-03). */
export function AttentionCard({ found, span, onSpan, targets, fleet }: AttentionCardProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const isFleet = fleet !== undefined;
  const lines = linesOf(found, span, targets, fleet);
  return (
    <section className="card panel attention" aria-labelledby={id}>
      <div className="overview__head">
        <h2 id={id}>{t('overview.attention.title')}</h2>
        <label className="attention__span">
          {t('overview.attention.span')}{' '}
          <select value={span} onChange={({ target }) => isSpan(target.value) && onSpan(target.value)}>
            {devices.offlineFilters.map((one) => (
              <option key={one} value={one}>
                {t(`devices.offlineFor.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {found.deviation !== null && <Deviation found={found.deviation} targets={targets} isFleet={isFleet} />}
      {lines.length === 0 && found.deviation === null ? (
        <StatusDot tone="ok">{t('overview.attention.none')}</StatusDot>
      ) : (
        <ul className="attention__lines">
          {lines.map(({ id: kind, diagnosis, first = [], count, tone, target }) => (
            <li key={diagnosis ?? kind}>
              <Link {...target}>
                <StatusDot tone={tone}>
                  {t(`overview.attention.${kind}`, {
                    count,
                    shown: formatNumber(count),
                    span: t(`devices.offlineFor.${span}`),
                    dbm: formatNumber(devices.WEAK_SIGNAL_DBM),
                    what: diagnosis === undefined ? '' : t(`devices.diagnosis.${diagnosis}`),
                  })}
                </StatusDot>
              </Link>
              {kind === 'offline' && <LatestOffline found={found} isFleet={isFleet} />}
              {kind === 'alerts' && <CriticalAlerts found={found} isFleet={isFleet} />}
              <NamedDevices
                devices={first}
                of={kind.startsWith('rollouts') || kind.startsWith('organizations') ? first.length : count}
                isFleet={isFleet}
              />
            </li>
          ))}
        </ul>
      )}
      {notesOf(found, targets, fleet).map(({ id: note, count, target }) => (
        <p key={note}>
          <Link {...target}>
            <StatusDot tone="idle">{t(`overview.attention.${note}`, { count, shown: formatNumber(count) })}</StatusDot>
          </Link>
        </p>
      ))}
    </section>
  );
}
