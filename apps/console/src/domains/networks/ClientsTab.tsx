import { networks as calls } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { Identifier, ReportedValue, Signal } from '../../entities/devices/cells.tsx';
import { Panel } from '../../entities/devices/Panel.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { useSearchInput } from '../../ui/composition.ts';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type DeviceNetworks, networksQuery } from './networks.api.ts';
import { Age, NetworkPart, PartTable } from './NetworkPart.tsx';
import { AccessLine } from './open-client/AccessLine.tsx';
import { clientAccessQuery } from './open-client/open-client.api.ts';
import { OpenClient, OpenClientDialog } from './open-client/OpenClient.tsx';
import { UsePanel } from './UsePanel.tsx';

type Client = NonNullable<DeviceNetworks['clients']>[number];

const LONGEST_SEARCH = 100;

function Line({ client, children }: { client: Client; children?: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const { name, mac, random, addresses, connection, wireless, signal, since, sent, received } = client;
  return (
    <tr>
      <td>
        <div className="strong">{name === '' ? <span className="dim">{t('networks.clients.unnamed')}</span> : name}</div>
        <Identifier value={mac} label="MAC" />
        {random && <div className="dim">{t('networks.clients.random')}</div>}
      </td>
      <td className="mono">
        {addresses.length === 0 ? <ReportedValue value={null} /> : addresses.map((each) => <div key={each}>{each}</div>)}
      </td>
      <td>{connection === '' ? wireless ? 'Wi-Fi' : <ReportedValue value={null} /> : connection}</td>
      <td className="num">
        {signal === null ? (
          <ReportedValue value={null} />
        ) : (
          <>
            <Signal dbm={signal} live /> <span aria-hidden="true">{formatNumber(signal)} dBm</span>
          </>
        )}
      </td>
      <td>{since === null ? <ReportedValue value={null} /> : <RelativeTime moment={since} />}</td>
      <td className="num">{sent === null ? <ReportedValue value={null} /> : formatBytes(sent)}</td>
      <td className="num">{received === null ? <ReportedValue value={null} /> : formatBytes(received)}</td>
      {children !== undefined && <td>{children}</td>}
    </tr>
  );
}

/** How many there are, and how many of them are shown. */
function Count({
  found,
  total,
  clients,
  search,
}: Pick<DeviceNetworks, 'found' | 'total' | 'clients'> & { search: string }): ReactNode {
  const { t } = useTranslation();
  const shown = clients?.length ?? 0;
  if (total > calls.MOST_READ_CLIENTS) return <p role="status">{t('networks.clients.tooMany', { total })}</p>;
  return (
    <p className="dim" role="status">
      {t('networks.clients.total', { count: total })}
      {found > shown && ` · ${t('networks.clients.shown', { shown, found })}`}
      {total > calls.MOST_CLIENTS && ` · ${t('networks.clients.kept', { total, kept: calls.MOST_CLIENTS })}`}
      {found === 0 && total > 0 && search !== '' && ` · ${t('networks.clients.noMatch')}`}
    </p>
  );
}

/** Who uses the networks of a vehicle now (LIV-02). */
function ConnectedNow({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const { searched, input } = useSearchInput();
  const search = useDeferredValue(searched.trim());
  const { data } = useQuery(networksQuery(device, 'clients', search));
  const { role } = useSession();
  const access = useQuery({ ...clientAccessQuery(device), enabled: role !== 'main' }).data;
  const [opened, setOpened] = useState<Client>();
  const canOpen = access !== undefined && access.obstacle !== 'off';
  const shown = (['name', 'addresses', 'connection', 'signal', 'since', 'received', 'sent'] as const).map((id) => ({
    id,
    label: t(`networks.clients.column.${id}`),
    isNumber: id === 'signal' || id === 'received' || id === 'sent',
  }));
  const columns = canOpen ? [...shown, { id: 'open', label: t('networks.open.column') }] : shown;
  return (
    <Panel id="device-clients" title={t('networks.clients.title')} more={<Age found={data} />}>
      <TextInput
        className="network-search"
        type="search"
        aria-label={t('networks.clients.search')}
        placeholder={t('networks.clients.searchHint')}
        maxLength={LONGEST_SEARCH}
        {...input}
      />
      {role !== 'main' && <AccessLine device={device} />}
      {data?.off === true ? (
        <p className="dim">{t('networks.use.off.nothing')}</p>
      ) : (
        <NetworkPart device={device} part="clients" search={search}>
          {(found) => (
            <>
              {found.total === 0 ? <p className="dim">{t('networks.clients.none')}</p> : <Count {...found} search={search} />}
              {(found.clients?.length ?? 0) > 0 && (
                <PartTable label={t('networks.clients.table')} columns={columns}>
                  {found.clients?.map((client) => (
                    <Line key={client.mac} client={client}>
                      {canOpen ? (
                        <OpenClient
                          device={device}
                          client={client}
                          isOpen={opened?.mac === client.mac}
                          onOpen={() => setOpened(client)}
                        />
                      ) : undefined}
                    </Line>
                  ))}
                </PartTable>
              )}
            </>
          )}
        </NetworkPart>
      )}
      {opened !== undefined && access !== undefined && (
        <OpenClientDialog device={device} client={opened} access={access} onClose={() => setOpened(undefined)} />
      )}
    </Panel>
  );
}

/** Who uses the networks of a vehicle now, and what they used by day (LIV-02). */
export function ClientsTab({ device }: { device: string }): ReactNode {
  return (
    <Fragment key={device}>
      <ConnectedNow device={device} />
      <UsePanel device={device} />
    </Fragment>
  );
}
