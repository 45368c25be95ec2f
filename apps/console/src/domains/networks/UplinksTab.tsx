import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ReportedValue } from '../../entities/devices/cells.tsx';
import { Panel } from '../../entities/devices/Panel.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import { type DeviceNetworks, networksQuery } from './networks.api.ts';
import { Age, NetworkPart, PartTable } from './NetworkPart.tsx';

type Uplink = NonNullable<DeviceNetworks['uplinks']>[number];
type State = 'carries' | 'standby' | 'down' | 'off';

const tones: Readonly<Record<State, Tone>> = { carries: 'ok', standby: 'idle', down: 'bad', off: 'unknown' };

function stateOf({ enabled, up, carries }: Uplink): State {
  if (!enabled) return 'off';
  if (!up) return 'down';
  return carries ? 'carries' : 'standby';
}

/** What a person should know first: that a backup carries the traffic, or nothing does. */
function Notice({ uplinks }: { uplinks: readonly Uplink[] }): ReactNode {
  const { t } = useTranslation();
  const at = uplinks.findIndex(({ carries }) => carries);
  if (at === 0 || uplinks.length === 0) return null;
  return (
    <p className="network-notice" role="status">
      <StatusDot tone={at < 0 ? 'bad' : 'warn'}>
        {at < 0 ? t('networks.uplinks.noneUp') : t('networks.uplinks.onBackup', { name: uplinks[at]!.name })}
      </StatusDot>
    </p>
  );
}

function Line({ uplink }: { uplink: Uplink }): ReactNode {
  const { t } = useTranslation();
  const { name, kind, addresses, sent, received } = uplink;
  const state = stateOf(uplink);
  return (
    <tr>
      <td>
        <div className="strong">{name}</div>
        <div className="dim">{t(`networks.uplinks.kind.${kind}`)}</div>
      </td>
      <td>
        <StatusDot tone={tones[state]}>{t(`networks.uplinks.state.${state}`)}</StatusDot>
      </td>
      <td className="mono">
        {addresses.length === 0 ? <ReportedValue value={null} /> : addresses.map((each) => <div key={each}>{each}</div>)}
      </td>
      <td className="num">{received === null ? <ReportedValue value={null} /> : formatBytes(received)}</td>
      <td className="num">{sent === null ? <ReportedValue value={null} /> : formatBytes(sent)}</td>
    </tr>
  );
}

/** Every way from a device to the internet, and which carries its traffic (LIV-10). */
export function UplinksTab({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(networksQuery(device, 'uplinks'));
  const columns = (['name', 'state', 'addresses', 'received', 'sent'] as const).map((id) => ({
    id,
    label: t(`networks.uplinks.column.${id}`),
    isNumber: id === 'received' || id === 'sent',
  }));
  return (
    <Panel id="device-uplinks" title={t('networks.uplinks.title')} more={<Age found={data} />}>
      <NetworkPart device={device} part="uplinks">
        {({ uplinks }) =>
          uplinks === null || uplinks.length === 0 ? (
            <p className="dim">{t('networks.lacking')}</p>
          ) : (
            <>
              <Notice uplinks={uplinks} />
              <PartTable label={t('networks.uplinks.table')} columns={columns}>
                {uplinks.map((uplink) => (
                  <Line key={uplink.name} uplink={uplink} />
                ))}
              </PartTable>
              <p className="dim">{t('networks.uplinks.hint')}</p>
            </>
          )
        }
      </NetworkPart>
    </Panel>
  );
}
