import { devices, networks } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';
import { networks as texts } from './networks.en-US.ts';

const nothing = { readAt: 1_795_425_000, live: true, uplinks: null, wifi: null, clients: null, found: 0, total: 0 };
const states = (failed: networks.WifiCheck | undefined): networks.Wifi['checks'] => {
  const at = failed === undefined ? networks.wifiChecks.length : networks.wifiChecks.indexOf(failed);
  return networks.wifiChecks.map((check, index) => ({ check, state: index < at ? 'ok' : index === at ? 'failed' : 'skipped' }));
};
const wifi: networks.Wifi = {
  radios: [{ name: 'wlan0', band: '2.4GHz', channel: 6, enabled: false, up: false }],
  ssids: [{ ssid: 'Onboard WiFi', radio: 'wlan0', enabled: true, up: false, clients: 0 }],
  checks: states('radio'),
  cause: 'radio-off',
};
const uplink = { enabled: true, up: true, carries: false, addresses: ['10.1.2.3'], sent: 2_000_000, received: null };
const client: networks.Client = {
  name: '<b>Pixel</b>',
  mac: 'DA:11:22:33:44:55',
  random: true,
  addresses: ['192.168.1.20'],
  connection: 'Onboard WiFi',
  wireless: true,
  signal: -61,
  since: 1_795_424_700,
  sent: 12_000_000,
  received: 100,
};

const use: networks.ClientUseAnswer = {
  settings: { keep: 'list', days: 30, version: 'a' },
  today: '2026-11-27',
  readAt: null,
  days: [],
  day: '2026-11-27',
  clients: [],
  found: 0,
  total: 0,
};

/** A tab of the device's page of Bus 7, with this answer. */
async function startTab(
  part: networks.NetworkPart,
  answer: Partial<networks.DeviceNetworks>,
  role: 'main' | 'admin' | 'user' = 'admin',
) {
  const tools = startConsole({ role });
  const found = example(devices.getDevice).result;
  tools.respond(devices.getDevice, {
    result: { ...found, vehicleNumber: 'Bus 7', vehicle_number: 'Bus 7', presence: 'online', agent: null },
  });
  const set = (next: Partial<networks.DeviceNetworks>) =>
    tools.respond(networks.readNetworks, { result: { ...nothing, ...next } });
  set(answer);
  tools.respond(networks.readClientUse, { result: use });
  await tools.open(`/devices/setting?device=${found.device}&tab=${part}`);
  return { ...tools, set, device: found.device };
}

const region = (name: string) => within(screen.getByRole('region', { name }));

test('LIV-10 the uplinks say which carries the traffic, and that a backup does', async () => {
  await startTab('uplinks', {
    uplinks: [
      { ...uplink, name: 'starlink', kind: 'satellite', up: false, addresses: [] },
      { ...uplink, name: 'wwan0', kind: 'cellular', carries: true },
    ],
  });
  expect(await screen.findByText('The preferred uplink is down. wwan0 carries the traffic.')).toBeTruthy();
  const rows = region('Uplinks of this device').getAllByRole('row').slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['starlinkSatellite', 'Down', '--', '--', '2.00 MB'],
    ['wwan0Cellular', 'Carries the traffic', '10.1.2.3', '--', '2.00 MB'],
  ]);
  expect(screen.getByText('Live')).toBeTruthy();
});

test('LIV-03 the cause is a sentence, and the button that ends it asks first and says what the router answered', async () => {
  const { user, requests, respond, set, device } = await startTab('wifi', { wifi });
  expect(await screen.findByText('The radios are switched off.')).toBeTruthy();
  const checks = within(screen.getByRole('list', { name: 'What was checked, in order' })).getAllByRole('listitem');
  expect(checks.map(({ textContent }) => textContent)).toEqual([
    'RadioFailed',
    'Wi-Fi networkNot checked',
    'Addresses (DHCP)Not checked',
    'UplinkNot checked',
    'Name server (DNS)Not checked',
    'Data planNot checked',
  ]);
  const repair = async () => {
    await user.click(screen.getByRole('button', { name: 'Switch on the radios' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('Switch on the radios of Bus 7? The setting on the router changes at once.')).toBeTruthy();
    await user.click(question.getByRole('button', { name: 'Switch on the radios' }));
  };
  respond(networks.repairWifi, { result: { outcome: 'rejected', message: 'Busy.' } });
  await repair();
  expect(await screen.findByText('The router rejected it: Busy.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'OK' }));
  respond(networks.repairWifi, { result: { outcome: 'done', message: '' } });
  set({ wifi: { ...wifi, checks: states(undefined), cause: null } });
  await repair();
  expect(await screen.findByText('Nothing is wrong with the Wi-Fi, as far as the router reports.')).toBeTruthy();
  expect(requests(networks.repairWifi).at(-1)?.body).toEqual({ device, cause: 'radio-off' });
});

test.each(networks.wifiCauses)('LIV-03-partial the cause %s has a sentence, and a next step', async (cause) => {
  await startTab('wifi', { wifi: { ...wifi, cause } });
  const sentence = await screen.findByText(texts.why.cause[cause]);
  const status = within(sentence.closest<HTMLElement>('.network-cause')!);
  const isRepaired = networks.repairableCauses.some((each) => each === cause);
  if (isRepaired) expect(status.getByRole('button')).toBeTruthy();
  else expect(status.queryAllByRole('link')).toHaveLength(cause === 'dhcp-full' ? 0 : 1);
});

test.each(['user', 'main'] as const)('LIV-03-partial %s sees the cause, and why only others can end it', async (role) => {
  const { user } = await startTab('wifi', { wifi }, role);
  const button = await screen.findByRole('button', { name: 'Switch on the radios' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.hover(button);
  expect(await screen.findByText('Only admins of the organization can do this.')).toBeTruthy();
});

test('LIV-02-partial the clients have names, addresses and signal as text, and a search asks the server', async () => {
  const { user, set, requests } = await startTab('clients', { clients: [client], found: 120, total: 6_000 });
  expect(await screen.findByText('<b>Pixel</b>')).toBeTruthy();
  expect(screen.getByText('random address')).toBeTruthy();
  expect(region('Devices that use the Wi-Fi or a port of this vehicle').getByText(/\d h ago$/u)).toBeTruthy();
  expect(
    screen.getByText(/^6000 connected · The first 1 of 120\..*The router reports 6000 clients\. The first 5000 are kept\.$/u),
  ).toBeTruthy();
  set({ clients: [], found: 0, total: 1 });
  await user.type(screen.getByRole('searchbox', { name: 'Search clients' }), 'ipad');
  expect(await screen.findByText(/No client matches\./u)).toBeTruthy();
  expect(requests(networks.readNetworks).at(-1)?.query).toMatchObject({ part: 'clients', search: 'ipad' });
});

test('LIV-02-partial of a router that counts more clients than are read the page says so, not that there are none', async () => {
  const { user } = await startTab('clients', { clients: [], found: 0, total: 12_000 });
  const said = 'The router lists 12000 clients, including earlier ones: too many to read.';
  expect(await screen.findByText(said)).toBeTruthy();
  await user.type(screen.getByRole('searchbox', { name: 'Search clients' }), 'ipad');
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.queryByText('No clients are connected.')).toBeNull();
});

test('LIV-02-partial of a router that never reported them nothing is shown but that', async () => {
  await startTab('clients', { readAt: null, live: false });
  expect(await screen.findByText(/^The router has not reported this yet\./u)).toBeTruthy();
});

test('LIV-02 what each client used on a day is a table and a file, and a name is never markup', async () => {
  const { user, requests, respond, device } = await startTab('clients', { clients: [client], found: 1, total: 1 });
  expect(await screen.findByText('The organization does not keep what clients use by day.')).toBeTruthy();
  const used = { name: '<b>Pixel</b>', mac: 'DA:11:22:33:44:55', random: true, sent: 12_000_000, received: 3_000_000 };
  const counted = {
    ...use,
    settings: { keep: 'use', days: 7, version: 'b' } as const,
    readAt: 1_795_425_000,
    days: [
      { day: '2026-11-27', clients: 1, sent: 12_000_000, received: 3_000_000 },
      { day: '2026-11-26', clients: 2, sent: 1_000_000, received: 0 },
    ],
    clients: [used],
    found: 1,
    total: 1,
  };
  respond(networks.readClientUse, { result: counted });
  respond(networks.saveClientSettings, { result: { keep: 'use', days: 7, version: 'b' } });
  await user.click(screen.getByRole('button', { name: 'What is kept' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'What is kept' }));
  await user.selectOptions(dialog.getByLabelText('Of clients'), 'Also keep what each client uses by day');
  await user.selectOptions(dialog.getByLabelText('Delete after'), '7 days');
  expect(dialog.getByRole('alert').textContent).toMatch(/deleted at once/u);
  await user.click(dialog.getByRole('button', { name: 'Save and delete' }));
  expect(requests(networks.saveClientSettings).at(-1)?.body).toEqual({ keep: 'use', days: 7 });
  const table = within(await screen.findByRole('region', { name: 'What each client used on this day' }));
  expect(
    within(table.getAllByRole('row')[1]!)
      .getAllByRole('cell')
      .slice(1)
      .map((cell) => cell.textContent),
  ).toEqual(['12.0 MB', '3.00 MB', '15.0 MB']);
  expect(table.getByText('<b>Pixel</b>')).toBeTruthy();
  expect(screen.getByLabelText<HTMLSelectElement>('Day').value).toBe('2026-11-27');
  await user.selectOptions(screen.getByLabelText('Day'), '2026-11-26');
  await user.type(screen.getByLabelText('Search name or address'), 'pix');
  await expect.poll(() => requests(networks.readClientUse).at(-1)?.query).toEqual({ device, day: '2026-11-26', search: 'pix' });
});

test('LIV-02-partial where nothing is kept the tab says so, and a user sees why it cannot be changed', async () => {
  const { respond } = await startTab('clients', { readAt: null, live: false, off: true }, 'user');
  respond(networks.readClientUse, { result: { ...use, settings: { keep: 'nothing', days: 30, version: 'c' } } });
  expect((await screen.findAllByText(/keeps nothing of clients/u)).length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: /^What is kept/u }).getAttribute('aria-disabled')).toBe('true');
});
