import { networks as calls } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ReportedValue } from '../../entities/devices/cells.tsx';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import { Age, NetworkPart, PartTable } from './NetworkPart.tsx';
import { NextStep, Repair, type NetworkTarget } from './WifiSteps.tsx';
import { type DeviceNetworks, networksQuery } from './networks.api.ts';

type Wifi = NonNullable<DeviceNetworks['wifi']>;
type CheckState = Wifi['checks'][number]['state'];

const checkTones: Readonly<Record<CheckState, Tone>> = { ok: 'ok', failed: 'bad', unknown: 'unknown', skipped: 'idle' };

function isRepairable(cause: calls.WifiCause): cause is calls.RepairableCause {
  return calls.repairableCauses.some((each) => each === cause);
}

function Why({ target, wifi: { checks, cause } }: { target: NetworkTarget; wifi: Wifi }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <div className="network-cause" role="status">
        <p>
          <StatusDot tone={cause === null ? 'ok' : 'bad'}>
            {cause === null ? t('networks.why.nothing') : t(`networks.why.cause.${cause}`)}
          </StatusDot>
        </p>
        {cause !== null &&
          (isRepairable(cause) ? <Repair target={target} cause={cause} /> : <NextStep device={target.device} cause={cause} />)}
      </div>
      <ol className="network-checks" aria-label={t('networks.why.checks')}>
        {checks.map(({ check, state }) => (
          <li key={check} data-state={state}>
            <span>{t(`networks.why.check.${check}`)}</span>
            <StatusDot tone={checkTones[state]}>{t(`networks.why.state.${state}`)}</StatusDot>
          </li>
        ))}
      </ol>
    </>
  );
}

function Working({ enabled, up }: { enabled: boolean; up: boolean }): ReactNode {
  const { t } = useTranslation();
  if (!enabled) return <StatusDot tone="unknown">{t('networks.wifi.state.off')}</StatusDot>;
  return <StatusDot tone={up ? 'ok' : 'bad'}>{t(`networks.wifi.state.${up ? 'up' : 'down'}`)}</StatusDot>;
}

function Radios({ radios }: { radios: Wifi['radios'] }): ReactNode {
  const { t } = useTranslation();
  const columns = (['radio', 'band', 'channel', 'state'] as const).map((id) => ({
    id,
    label: t(`networks.wifi.column.${id}`),
    isNumber: id === 'channel',
  }));
  return (
    <PartTable label={t('networks.wifi.radioTable')} columns={columns}>
      {radios.map(({ name, band, channel, enabled, up }) => (
        <tr key={name}>
          <td className="strong">{name}</td>
          <td>
            <ReportedValue value={band === '' ? null : band} />
          </td>
          <td className="num">
            <ReportedValue value={channel === null ? null : String(channel)} />
          </td>
          <td>
            <Working enabled={enabled} up={up} />
          </td>
        </tr>
      ))}
    </PartTable>
  );
}

function Ssids({ device, ssids }: { device: string; ssids: Wifi['ssids'] }): ReactNode {
  const { t } = useTranslation();
  const columns = (['ssid', 'radio', 'state', 'clients'] as const).map((id) => ({
    id,
    label: t(`networks.wifi.column.${id}`),
    isNumber: id === 'clients',
  }));
  return (
    <PartTable label={t('networks.wifi.ssidTable')} columns={columns}>
      {ssids.map(({ ssid, radio, enabled, up, clients }) => (
        <tr key={`${ssid} ${radio}`}>
          <td className="strong">{ssid === '' ? <span className="dim">{t('networks.wifi.hidden')}</span> : ssid}</td>
          <td>
            <ReportedValue value={radio === '' ? null : radio} />
          </td>
          <td>
            <Working enabled={enabled} up={up} />
          </td>
          <td className="num">
            {clients === null ? (
              <ReportedValue value={null} />
            ) : (
              <Link to="/devices/setting" search={{ device, tab: 'clients' }}>
                {clients}
              </Link>
            )}
          </td>
        </tr>
      ))}
    </PartTable>
  );
}

/** The Wi-Fi of a device, and why there is none (LIV-03). */
export function WifiTab({ target }: { target: NetworkTarget }): ReactNode {
  const { t } = useTranslation();
  const { device } = target;
  const { data } = useQuery(networksQuery(device, 'wifi'));
  const wifi = data?.wifi ?? null;
  return (
    <>
      <Panel id="device-wifi-why" title={t('networks.why.title')} more={<Age found={data} />}>
        <NetworkPart device={device} part="wifi">
          {(found) =>
            found.wifi === null || found.wifi.radios.length === 0 ? (
              <p className="dim">{t('networks.lacking')}</p>
            ) : (
              <Why target={target} wifi={found.wifi} />
            )
          }
        </NetworkPart>
      </Panel>
      {wifi !== null && wifi.radios.length > 0 && (
        <>
          <Panel id="device-radios" title={t('networks.wifi.radios')}>
            <Radios radios={wifi.radios} />
          </Panel>
          <Panel id="device-ssids" title={t('networks.wifi.ssids')}>
            {wifi.ssids.length === 0 ? (
              <p className="dim">{t('networks.lacking')}</p>
            ) : (
              <Ssids device={device} ssids={wifi.ssids} />
            )}
          </Panel>
        </>
      )}
    </>
  );
}
