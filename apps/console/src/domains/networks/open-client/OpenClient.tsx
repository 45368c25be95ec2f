import type { remoteClients } from '@highline/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { NativeSelect, TextInput } from '../../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { pageOf } from '../../remote-access/index.ts';
import type { DeviceNetworks } from '../networks.api.ts';
import { clientAccessQuery, endClient, openClient, openClientTerminal, type OpenedClient } from './open-client.api.ts';
import { OpenedDialog, TerminalDialog } from './OpenedClient.tsx';
import { type Way, ways } from './ways.ts';

type Client = NonNullable<DeviceNetworks['clients']>[number];

const usualPorts: Readonly<Record<Way, number>> = { http: 80, https: 443, terminal: 22, ssh: 22, tcp: 502 };

const isIpv4 = (address: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(address);

const addressesOf = ({ addresses }: Client) => addresses.filter(isIpv4);

interface OpenClientProps {
  readonly device: string;
  readonly client: Client;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** Opens the dialog of a client, or says why that is not possible (LIV-08). */
export function OpenClient({ device, client, isOpen, onOpen }: OpenClientProps): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(clientAccessQuery(device));
  if (data === undefined) return null;
  const { obstacle, busy } = data;
  const reason = () => {
    if (obstacle !== null) return t(`networks.open.obstacle.${obstacle}`);
    if (busy) return t('networks.open.busy');
    return addressesOf(client).length === 0 ? t('networks.open.noAddress') : undefined;
  };
  return (
    // It stays while its own session makes the router busy.
    <ActionButton disabledReason={isOpen ? undefined : reason()} onClick={onOpen}>
      {t('networks.open.open')}
    </ActionButton>
  );
}

type Stage =
  | { readonly at: 'form' }
  | { readonly at: 'opened'; readonly way: Way; readonly username: string; readonly opened: OpenedClient }
  | { readonly at: 'terminal'; readonly ticket: string; readonly recorded: boolean; readonly end?: string };

type Access = Pick<remoteClients.ClientAccess, 'pages' | 'ports'>;

interface OpenClientDialogProps {
  readonly device: string;
  readonly client: Client;
  readonly access: Access;
  readonly onClose: () => void;
}

function isOffered(way: Way, { pages, ports }: Access): boolean {
  if (way === 'terminal') return true;
  return way === 'ssh' || way === 'tcp' ? ports : pages;
}

/** How a client is opened, and then its terminal or where it is. It is no part of a row: the client may leave the list meanwhile. */
export function OpenClientDialog({ device, client, access, onClose }: OpenClientDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queries = useQueryClient();
  const addresses = addressesOf(client);
  const offered = ways.filter((each) => isOffered(each, access));
  const [way, setWay] = useState<Way>(offered[0] ?? 'terminal');
  const [address, setAddress] = useState(addresses[0] ?? '');
  const [port, setPort] = useState(String(usualPorts[way]));
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [stage, setStage] = useState<Stage>({ at: 'form' });
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const attempt = useRef<AbortController>(undefined);
  useEffect(() => () => attempt.current?.abort(), []);

  const refresh = () => void queries.invalidateQueries({ queryKey: clientAccessQuery(device).queryKey });
  const submit = async (): Promise<void> => {
    const { signal } = (attempt.current = new AbortController());
    const target = { device, mac: client.mac, address, port: Number(port) };
    setBusy(true);
    setError(undefined);
    try {
      if (way === 'terminal') setStage({ at: 'terminal', ...(await openClientTerminal(target, { username, password }, signal)) });
      else {
        const opened = await openClient(target, way, signal);
        showPage(opened);
        setStage({ at: 'opened', way, username, opened });
      }
      setPassword('');
    } catch (caught) {
      if (!signal.aborted) setError(caught);
    } finally {
      setBusy(false);
      refresh();
    }
  };
  const end = (): void => {
    void endClient(device)
      .catch(() => undefined)
      .finally(refresh);
    onClose();
  };
  const name = client.name === '' ? client.mac : client.name;
  if (stage.at === 'opened') return <OpenedDialog name={name} address={address} {...stage} onEnd={end} onClose={onClose} />;
  if (stage.at === 'terminal')
    return (
      <TerminalDialog
        name={name}
        {...stage}
        onOver={(reason) => {
          setStage({ ...stage, end: reason });
          refresh();
        }}
        onClose={end}
      />
    );
  return (
    <FormDialog
      title={t('networks.open.title', { name })}
      submit={t('networks.open.open')}
      busy={isBusy}
      disabledReason={/^\d{1,5}$/u.test(port) ? undefined : t('networks.open.portsWrong')}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <NativeSelect
        label={t('networks.open.way')}
        value={way}
        data={offered.map((value) => ({ value, label: t(`networks.open.ways.${value}`) }))}
        onChange={(event) => {
          const next = ways.find((each) => each === event.currentTarget.value) ?? way;
          setWay(next);
          setPort(String(usualPorts[next]));
        }}
      />
      {addresses.length > 1 && (
        <NativeSelect
          label={t('networks.open.address')}
          value={address}
          data={addresses.map((value) => ({ value, label: value }))}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('networks.open.port')}
        inputMode="numeric"
        maxLength={5}
        value={port}
        onChange={(event) => setPort(event.currentTarget.value.trim())}
      />
      {(way === 'terminal' || way === 'ssh') && (
        <TextInput
          label={t('networks.open.username')}
          required={way === 'terminal'}
          maxLength={100}
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
      )}
      {way === 'terminal' && (
        <TextInput
          label={t('networks.open.password')}
          type="password"
          maxLength={200}
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <p className="dim">{t(`networks.open.about.${way}`)}</p>
      {error !== undefined && <p role="alert">{errorText(error)}</p>}
    </FormDialog>
  );
}

/** Open a page in a tab that cannot reach back; browsers allow it for some seconds after the click. */
function showPage({ url, from }: OpenedClient): void {
  const address = from === null ? pageOf(url) : undefined;
  if (address === undefined) return;
  const tab = window.open(address, '_blank');
  if (tab !== null) tab.opener = null;
}
