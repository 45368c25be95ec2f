import { diagnoses, isClockUnset, type Finding } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { durationText } from '../../../entities/devices/Duration.tsx';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import { usePlaceLabel } from '../../../entities/places/PlaceText.tsx';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { formatDate, formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { temperatureIn, type TemperatureUnit, useTemperatureUnit } from '../../../ui/units.ts';
import { sentences } from '../../../ui/sentences.ts';
import { useZone } from '../../../ui/time/zone.ts';
import './findings.css';

/** What a finding was concluded from. */
function evidenceOf(found: Finding, t: TFunction, placeText: string, temperatures: TemperatureUnit): string {
  const shown = formatNumber;
  const degrees = (celsius: number) => `${shown(temperatureIn(temperatures, celsius))} ${temperatures}`;
  switch (found.kind) {
    case 'identity':
      return t(`findings.evidence.identity.${found.cause}`);
    case 'supply':
      return t('findings.evidence.supply', { volts: shown(found.volts), limit: shown(found.limit), count: found.hours });
    case 'antenna':
      return t('findings.evidence.antenna', {
        db: shown(Math.abs(found.db)),
        samples: shown(found.samples),
        cells: shown(found.cells),
      });
    case 'restarts':
      return t('findings.evidence.restarts', { count: found.restarts, inHour: shown(found.inHour) });
    case 'sim':
      return t(`findings.evidence.sim.${found.cause}`, { hours: found.hours });
    case 'storage':
      return t('findings.evidence.storage');
    case 'heat':
      return t('findings.evidence.heat', { degrees: degrees(found.celsius), limit: degrees(found.limit) });
    case 'unstable':
      return t('findings.evidence.unstable', { count: found.losses, minutes: found.minutes });
    case 'drops': {
      const all = t('findings.evidence.drops', { count: found.losses });
      const { place } = found;
      return place === null
        ? all
        : sentences([all, t('findings.evidence.dropsAt', { losses: shown(place.losses), place: placeText })]);
    }
    case 'position':
      return t('findings.evidence.position', { count: found.count, reason: t(`findings.position.${found.reason}`) });
    case 'place': {
      const { losses, place, others } = found;
      if (place === null) return t('findings.evidence.drops', { count: losses });
      const values = { losses: shown(place.losses), all: shown(losses), place: placeText, others: shown(others) };
      return t('findings.evidence.place', values);
    }
    case 'clock': {
      if (isClockUnset(found.seconds * 1_000)) return t('findings.evidence.clock.unset');
      const direction = found.seconds > 0 ? 'ahead' : 'behind';
      return t(`findings.evidence.clock.${direction}`, { span: durationText(Math.abs(found.seconds), t) });
    }
  }
}

const placeOf = (found: Finding) => (found.kind === 'drops' || found.kind === 'place' ? found.place : null);

function EvidenceText({ found }: { found: Finding }): ReactNode {
  const { t } = useTranslation();
  return evidenceOf(found, t, usePlaceLabel(placeOf(found)), useTemperatureUnit());
}

/** What a person should do next. */
function nextOf(found: Finding, t: TFunction): string {
  if (found.kind === 'identity') return t(`findings.next.identity.${found.cause}`);
  return found.kind === 'sim' ? t(`findings.next.sim.${found.cause}`) : t(`findings.next.${found.kind}`);
}

const tabs = {
  sim: 'sims',
  storage: 'sims',
  restarts: 'timeline',
  unstable: 'location',
  drops: 'location',
  position: 'location',
} as const;

/** Where the evidence of a finding is, or its next step. */
function Evidence({ kind, device }: { kind: Finding['kind']; device: string }): ReactNode {
  const { t } = useTranslation();
  if (kind === 'antenna' || kind === 'place')
    return (
      <Link to="/coverage" search={{ tab: kind === 'antenna' ? 'vehicles' : 'zones' }}>
        {t(`findings.link.${kind}`)}
      </Link>
    );
  if (!Object.hasOwn(tabs, kind)) return null;
  const tab = tabs[kind as keyof typeof tabs];
  return (
    <Link to="/devices/setting" search={{ device, tab }}>
      {t(`findings.link.${tab}`)}
    </Link>
  );
}

/** Antennas are compared by days of UTC. */
const sinceOf = ({ kind, since }: Finding, zone: string): string =>
  kind === 'antenna' ? formatDate(since, 'UTC') : formatDateTime(since, zone);

/** What was found about a device, the most urgent first: since when, why it is believed, and what to do next (SAY-02). Nothing when all is well. */
export function Findings({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { findings, device: id } = device;
  if (findings.length === 0) return null;
  return (
    <section className="card panel findings" aria-label={t('findings.title')}>
      <ul>
        {findings.map((found) => (
          <li key={found.kind}>
            <div className="findings__head">
              <StatusDot tone={diagnoses[found.kind].tone}>
                <strong>{t(`devices.diagnosis.${found.kind}`)}</strong>
              </StatusDot>
              <span className="dim">{t('findings.since', { time: sinceOf(found, zone) })}</span>
            </div>
            <p>
              <EvidenceText found={found} />
            </p>
            <p className="findings__next">
              {nextOf(found, t)} <Evidence kind={found.kind} device={id} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
