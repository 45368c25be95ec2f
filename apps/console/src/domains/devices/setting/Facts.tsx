import { isClockUnset } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatDay, formatNumber } from '../../../ui/time/format.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { AgentSettings } from '../AgentSettings.tsx';
import { agentFields } from '../agentFields.ts';
import { ReportedValue, Identifier, PresenceCell, ServiceCell } from '../../../entities/devices/cells.tsx';
import { Fact } from '../../../entities/devices/Fact.tsx';
import { propertyOf, reasonOf, uptimeOf } from '../../../entities/devices/device.ts';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import { RunningUptime } from '../../../entities/devices/Duration.tsx';

/** How far the router's clock is off; a second either way is the time its response took. */
export function Clock({ skew }: { skew: number | null }): ReactNode {
  const { t } = useTranslation();
  if (skew === null) return <ReportedValue value={null} />;
  if (isClockUnset(skew)) return t('deviceForms.skew.unset');
  const seconds = formatNumber(Math.round(Math.abs(skew) / 1000));
  if (Math.abs(skew) < 1500) return t('deviceForms.skew.none');
  return t(skew > 0 ? 'deviceForms.skew.ahead' : 'deviceForms.skew.behind', { seconds });
}

/** Identity and connection state (DEV-08: since when and why). */
export function ConnectionFacts({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const reason = reasonOf(device.presence_reason);
  const isOnline = device.presence === 'online';
  return (
    <dl className="facts">
      <Fact label={t('devices.column.presence')}>
        <PresenceCell device={device} />
      </Fact>
      {!isOnline && reason !== undefined && <Fact label={t('deviceForms.why')}>{t(`devices.reason.${reason}`)}</Fact>}
      <Fact label={t(isOnline ? 'devicePage.lastReadings' : 'devices.column.lastSeen')}>
        <RelativeTime moment={device.last_seen} />
      </Fact>
      <Fact label={t('devices.column.service')}>
        <ServiceCell device={device} />
      </Fact>
      <Fact label={t('deviceForms.field.started')}>
        <ReportedValue value={formatDay(device.started)} />
      </Fact>
      <Fact label={t('devices.column.expires')}>
        <ReportedValue value={formatDay(device.expired)} />
      </Fact>
    </dl>
  );
}

/** The router itself (DEV-09). @param loadedAt epoch milliseconds */
export function RouterFacts({ device, loadedAt }: { device: DeviceDetails; loadedAt: number }): ReactNode {
  const { t } = useTranslation();
  const uptime = device.presence === 'online' ? uptimeOf(device) : undefined;
  return (
    <dl className="facts">
      <Fact label={t('devices.column.model')}>
        <ReportedValue value={propertyOf(device, 'model')} />
      </Fact>
      <Fact label={t('devices.column.firmware')}>
        <ReportedValue value={propertyOf(device, 'firmware')} />
      </Fact>
      <Fact label={t('devices.column.config')}>
        <ReportedValue value={propertyOf(device, 'config')} />
      </Fact>
      <Fact label={t('devices.column.uptime')}>
        <span className="num">
          {uptime === undefined ? <ReportedValue value={null} /> : <RunningUptime seconds={uptime} loadedAt={loadedAt} />}
        </span>
      </Fact>
      <Fact label={t('devices.column.serial')}>
        <Identifier value={device.serial_number} label={t('devices.column.serial')} />
      </Fact>
      <Fact label={t('devices.column.mac')}>
        <Identifier value={device.mac} label={t('devices.column.mac')} />
      </Fact>
    </dl>
  );
}

/** Without one the router connects with its client certificate alone. */
const hasSecret = (agent: NonNullable<DeviceDetails['agent']>): boolean => agentFields(agent).path !== '/usp';

/** A router that never connected: the configuration its agent needs (DECISIONS, Inventory and claiming). */
export function FirstContact({ agent }: { agent: NonNullable<DeviceDetails['agent']> }): ReactNode {
  const { t } = useTranslation();
  return (
    <section className="card panel" aria-labelledby="first-contact">
      <h2 id="first-contact">{t('deviceForms.agent.title')}</h2>
      <p className="dim">{t(hasSecret(agent) ? 'deviceForms.agent.text' : 'deviceForms.agent.textCertificate')}</p>
      <AgentSettings agent={agent} />
    </section>
  );
}
