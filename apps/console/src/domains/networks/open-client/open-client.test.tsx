// @vitest-environment happy-dom
import { devices, networks, remoteClients } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, example, Failed, startConsole } from '../../../testing/console.tsx';
import { formatPorts, parsePorts } from './ports.ts';

const camera: networks.Client = {
  name: 'camera-recorder',
  mac: '00:1B:54:00:00:01',
  random: false,
  addresses: ['192.168.1.11'],
  connection: 'eth0',
  wireless: false,
  signal: null,
  since: 1_795_424_700,
  sent: 1,
  received: 1,
};
const found: networks.DeviceNetworks = {
  readAt: 1_795_425_000,
  live: true,
  uplinks: null,
  wifi: null,
  clients: [camera],
  found: 1,
  total: 1,
};
const rule: remoteClients.StoredClientRule = {
  version: 'a',
  roles: ['admin'],
  ranges: ['192.168.0.0/16'],
  ports: [
    { from: 80, to: 80 },
    { from: 8_000, to: 8_100 },
  ],
};
const usable: remoteClients.ClientAccess = { obstacle: null, pages: true, ports: true, rule, busy: false, own: null };

async function startClients(
  access: Partial<remoteClients.ClientAccess> = {},
  role: 'main' | 'admin' | 'user' = 'admin',
  timers?: 'fake',
) {
  const tools = startConsole({ role, ...(timers && { timers }) });
  const { result } = example(devices.getDevice);
  tools.respond(devices.getDevice, { result: { ...result, vehicleNumber: 'Bus 7', presence: 'online', agent: null } });
  tools.respond(networks.readNetworks, { result: found });
  tools.respond(remoteClients.getClientAccess, { result: { ...usable, ...access } });
  await tools.open(`/devices/setting?device=${result.device}&tab=clients`);
  await screen.findByText('camera-recorder');
  return tools;
}

const opened = { statusCode: 200, url: 'https://abc.tunnel.example/', port: 443, certificate: null, from: null };

test('LIV-08-partial a page of a client is opened in a new tab, and an unchecked certificate is said', async () => {
  const { user, respond, requests } = await startClients();
  const tab = vi.spyOn(window, 'open').mockReturnValue(null);
  respond(remoteClients.openClient, { ...opened, certificate: 'AA:BB' });
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  const form = within(await screen.findByRole('dialog', { name: 'Open camera-recorder' }));
  await user.selectOptions(form.getByRole('combobox', { name: 'As' }), 'https');
  expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Port' }).value).toBe('443');
  await user.click(form.getByRole('button', { name: 'Open' }));
  const done = within(await screen.findByRole('dialog', { name: 'camera-recorder is open' }));
  expect(done.getByText(/was not checked/u)).toBeTruthy();
  expect(done.getByText('AA:BB')).toBeTruthy();
  expect(done.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe('https://abc.tunnel.example/');
  expect(tab).toHaveBeenCalledWith('https://abc.tunnel.example/', '_blank');
  expect(requests(remoteClients.openClient).at(-1)?.body).toMatchObject({
    mac: camera.mac,
    address: '192.168.1.11',
    port: 443,
    service: 'https',
  });
});

test('LIV-08-partial SSH of a client is a line to copy, from one address alone; a rejection is read in the form', async () => {
  const { user, respond } = await startClients();
  respond(remoteClients.openClient, () => new Failed('client.no_answer'));
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  const form = within(await screen.findByRole('dialog'));
  await user.selectOptions(form.getByRole('combobox', { name: 'As' }), 'ssh');
  await user.type(form.getByRole('textbox', { name: 'Username' }), 'pi');
  await user.click(form.getByRole('button', { name: 'Open' }));
  expect(await form.findByText(/does not accept connections at this port/u)).toBeTruthy();
  respond(remoteClients.openClient, { ...opened, url: 'highline.example', port: 4_022, from: '192.0.2.7' });
  await user.click(form.getByRole('button', { name: 'Open' }));
  expect(await screen.findByText('ssh -p 4022 pi@highline.example')).toBeTruthy();
  expect(screen.getByText('Connections are accepted from 192.0.2.7 alone.')).toBeTruthy();
});

test('LIV-08-partial a client that leaves the list stays open, and so does what is typed to open it', async () => {
  const { user, respond, advance } = await startClients({}, 'admin', 'fake');
  const leave = async () => {
    respond(networks.readNetworks, { result: { ...found, clients: [], found: 0, total: 0 } });
    await advance(30_000);
    expect(screen.queryByText('00:1B:54:00:00:01')).toBeNull();
  };
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  const form = within(await screen.findByRole('dialog', { name: 'Open camera-recorder' }));
  await user.selectOptions(form.getByRole('combobox', { name: 'As' }), 'ssh');
  await user.type(form.getByRole('textbox', { name: 'Username' }), 'pi');
  await leave();
  respond(remoteClients.openClient, { ...opened, url: 'highline.example', port: 4_022, from: '192.0.2.7' });
  await user.click(form.getByRole('button', { name: 'Open' }));
  expect(await screen.findByText('ssh -p 4022 pi@highline.example')).toBeTruthy();
});

test('LIV-08-partial a router that does not offer it is greyed with the reason, and while no one may there is no button', async () => {
  const { user } = await startClients({ obstacle: 'unsupported' });
  const open = await screen.findByRole('button', { name: 'Open' });
  expect(open.getAttribute('aria-disabled')).toBe('true');
  await user.hover(open);
  expect(await screen.findByText('This router does not offer it.')).toBeTruthy();
});

test('LIV-08-partial an admin allows it by role, network and port, and wrong ports are said by the field', async () => {
  const { user, respond, requests } = await startClients({ obstacle: 'off', rule: { ...rule, roles: [] } });
  expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
  expect(await screen.findByText('No one may open clients from here.')).toBeTruthy();
  respond(remoteClients.saveClientRule, { result: rule });
  await user.click(await screen.findByRole('button', { name: 'Who may open clients' }));
  const form = within(await screen.findByRole('dialog', { name: 'Who may open clients' }));
  await user.selectOptions(form.getByRole('combobox', { name: 'May open clients' }), 'both');
  const ports = form.getByRole('textbox', { name: 'Ports' });
  await user.clear(ports);
  await user.type(ports, '80, 70000');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(/Ports are numbers from 1 to 65535/u)).toBeTruthy();
  await user.clear(ports);
  await user.type(ports, '22 80');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(requests(remoteClients.saveClientRule).at(-1)?.body).toMatchObject({
      roles: ['admin', 'user'],
      ranges: ['192.168.0.0/16'],
      ports: [
        { from: 22, to: 22 },
        { from: 80, to: 80 },
      ],
    }),
  );
});

test('LIV-08-partial the own connection is shown and ended; a user reads who may and cannot change it', async () => {
  const own = { mac: camera.mac, address: '192.168.1.11', port: 80, service: 'http', since: 1_795_424_900 } as const;
  const { user, respond, requests } = await startClients({ busy: true, own }, 'user');
  expect(screen.queryByRole('button', { name: 'Who may open clients' })).toBeNull();
  expect(await screen.findByText(/You have 192\.168\.1\.11:80 open/u)).toBeTruthy();
  respond(remoteClients.endClient, { result: { ended: true } });
  await user.click(button('End connection'));
  await vi.waitFor(() => expect(requests(remoteClients.endClient)).toHaveLength(1));
});

test('LIV-08-partial the main account sees neither', async () => {
  await startClients({}, 'main');
  expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
});

test('ports as people write them', () => {
  expect(parsePorts('22，80；8000-8100')).toEqual([
    { from: 22, to: 22 },
    { from: 80, to: 80 },
    { from: 8_000, to: 8_100 },
  ]);
  for (const wrong of ['0', '65536', '90-80', 'ssh', '1-2-x', '-5', '80-']) expect(parsePorts(wrong)).toBeUndefined();
  expect(
    formatPorts([
      { from: 22, to: 22 },
      { from: 80, to: 90 },
    ]),
  ).toBe('22, 80-90');
});

test('LIV-08-partial without ports and pages of the server a client is opened in the terminal alone', async () => {
  const { user } = await startClients({ pages: false, ports: false });
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  const form = within(await screen.findByRole('dialog'));
  expect(within(form.getByRole('combobox', { name: 'As' })).getAllByRole('option')).toHaveLength(1);
  expect(form.getByLabelText(/Password/u)).toBeTruthy();
});
