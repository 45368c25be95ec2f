import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../session/session.ts';
import { formatNumber, formatUptime } from '../../../ui/time/format.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { AgentSettings } from '../AgentSettings.tsx';
import { ReportedValue, Identifier, PresenceCell, ServiceCell } from '../cells.tsx';
import { plainProperties, propertyOf, reasonOf, uptimeOf } from '../device.ts';
import type { DeviceDetails } from './device-setting.api.ts';

/** A name and its value. */
function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** How far the router's clock is off; a second either way is the time its answer took. */
function Clock({ skew }: { skew: number | null }): ReactNode {
  const { t } = useTranslation();
  if (skew === null) return <ReportedValue value={null} />;
  const seconds = formatNumber(Math.round(Math.abs(skew) / 1000));
  if (Math.abs(skew) < 1500) return t('deviceForms.skew.none');
  return t(skew > 0 ? 'deviceForms.skew.ahead' : 'deviceForms.skew.behind', { seconds });
}

/** Identity and connection state (DEV-08: since when and why). */
export function ConnectionFacts({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const reason = reasonOf(device.presence_reason);
  return (
    <dl className="facts">
      <Fact label={t('devices.column.presence')}>
        <PresenceCell device={device} />
      </Fact>
      {device.presence !== 'online' && reason !== undefined && (
        <Fact label={t('deviceForms.why')}>{t(`devices.reason.${reason}`)}</Fact>
      )}
      <Fact label={t('devices.column.lastSeen')}>
        <RelativeTime moment={device.last_seen} />
      </Fact>
      <Fact label={t('devices.column.service')}>
        <ServiceCell device={device} />
      </Fact>
      <Fact label={t('deviceForms.field.started')}>
        <ReportedValue value={device.started} />
      </Fact>
      <Fact label={t('devices.column.expires')}>
        <ReportedValue value={device.expired} />
      </Fact>
      <Fact label={t('devices.column.mac')}>
        <Identifier value={device.mac} label={t('devices.column.mac')} />
      </Fact>
      <Fact label={t('deviceForms.clock')}>
        <Clock skew={device.clock_skew} />
      </Fact>
    </dl>
  );
}

/** A link to its eSIMs: to the cards for admins when the EID is known, else to the list. */
function Sims({ device: { serial_number: serial, cellular_eid: eid } }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const text = t('deviceForms.sims');
  if (useSession().role === 'admin' && eid !== null && eid !== '') {
    return (
      <Link to="/devices/esimsAdd" search={{ method: 'manual', serial, eid }}>
        {text}
      </Link>
    );
  }
  return (
    <Link to="/devices/esimsList" search={{ search: serial }}>
      {text}
    </Link>
  );
}

/** What the router reported (DEV-09). */
export function RouterFacts({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
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
        <span className="num">{formatUptime(uptimeOf(device))}</span>
      </Fact>
      <Fact label={t('devices.column.carrier')}>
        <ReportedValue value={device.cellular_mno} />
      </Fact>
      <Fact label={t('devices.column.technology')}>
        <ReportedValue value={device.cellular_technology} />
      </Fact>
      {plainProperties.map((id) => (
        <Fact key={id} label={t(`devices.column.${id}`)}>
          <ReportedValue value={propertyOf(device, id)} />
        </Fact>
      ))}
      <Fact label={t('devices.column.imsi')}>
        <Identifier value={device.cellular_imsi} label={t('devices.column.imsi')} />
      </Fact>
      <Fact label={t('devices.column.iccid')}>
        <Identifier value={device.cellular_iccid} label={t('devices.column.iccid')} />
      </Fact>
      <Fact label={t('devices.column.mtn')}>
        <Identifier value={device.cellular_mtn} label={t('devices.column.mtn')} />
      </Fact>
      <Fact label={t('devices.column.imei')}>
        <Identifier value={device.cellular_imei} label={t('devices.column.imei')} />
      </Fact>
      <Fact label={t('devices.column.eid')}>
        <Identifier value={device.cellular_eid} label={t('devices.column.eid')} />
      </Fact>
      {device.set_up?.polled === true && <Fact label={t('deviceForms.setUp.readings')}>{t('deviceForms.setUp.polled')}</Fact>}
      {!isMain && (
        <Fact label={t('shell.screen.esims')}>
          <Sims device={device} />
        </Fact>
      )}
    </dl>
  );
}

/** A router that never connected: the configuration its agent needs (DECISIONS, Inventory and claiming). */
export function FirstContact({ agent }: { agent: NonNullable<DeviceDetails['agent']> }): ReactNode {
  const { t } = useTranslation();
  return (
    <section className="card panel" aria-labelledby="first-contact">
      <h2 id="first-contact">{t('deviceForms.agent.title')}</h2>
      <p className="dim">{t('deviceForms.agent.text')}</p>
      <AgentSettings agent={agent} />
    </section>
  );
}
