// @vitest-environment happy-dom
import { bulkJobs, routerSettings as calls, sentCommands } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const APN = 'Cellular.AccessPoint[name=internet].APN';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';

const level: calls.LevelSettings = {
  level: 'group',
  name: 'North depot',
  version: 3,
  changed: '2026-11-23T09:27:00Z',
  by: 'ana@lakeshore.example',
  values: [
    { path: SSID, value: 'Old' },
    { path: PASSPHRASE, value: null },
  ],
  inherited: [{ path: 'Time.NTPServer1', value: 'time.example.com', from: 'organization' }],
  devices: 12,
  exceptions: 1,
};
const difference: calls.SettingsPreview = {
  devices: 12,
  changing: 12,
  changes: [{ path: SSID, before: 'Old', after: 'New', isSecret: false, devices: 12, canCut: false }],
  problems: [{ path: SSID, kind: 'variable', text: 'route', devices: 3, serials: ['HL-1', 'HL-2', 'HL-3'] }],
};

async function startForm(role: 'admin' | 'user' = 'admin') {
  const tools = startConsole({ role });
  tools.respond(calls.readSettings, { result: level });
  tools.respond(calls.previewSettings, { result: difference });
  await tools.open('/groups/settings?group=north');
  await screen.findByRole('heading', { name: 'Router settings of North depot' });
  return tools;
}
const nameOf = () => screen.getAllByLabelText<HTMLInputElement>('Network name (SSID)')[0]!;

test('TPL-01-partial a form shows what is set here, what is inherited, and that a passphrase is stored', async () => {
  await startForm();
  expect(nameOf().value).toBe('Old');
  expect(screen.getByText(/12 vehicles · 1 with its own values/u)).toBeTruthy();
  const server = screen.getByLabelText<HTMLInputElement>('Time server');
  expect(server.value).toBe('');
  expect(server.placeholder).toBe('time.example.com');
  expect(screen.getByText('time.example.com, from the organization.')).toBeTruthy();
  expect(screen.getAllByLabelText<HTMLInputElement>('Passphrase')[0]?.placeholder).toBe('Stored');
});

test('TPL-03-partial the difference is shown before it is saved and sent, in five presses', async () => {
  const { user, requests, respond, sendList } = await startForm();
  respond(calls.saveSettings, { result: { ...level, version: 4 } });
  respond(bulkJobs.startJob, example(bulkJobs.startJob));
  sendList(calls.listSettings, []);
  await user.clear(nameOf());
  await user.type(nameOf(), 'New');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/Something changes for 12 of 12 vehicles/u)).toBeTruthy();
  expect(dialog.textContent).toContain('12 vehicles: Wi-Fi for passengers: Network name (SSID) Old → New');
  expect(dialog.textContent).toContain('3 vehicles lack {{route}}');
  // At once, unless another time is chosen (WIN-02).
  await user.selectOptions(within(dialog).getByLabelText('When'), 'parked');
  await user.click(within(dialog).getByRole('button', { name: 'Save and send to 12 vehicles' }));
  await expect.poll(() => requests(bulkJobs.startJob)).toHaveLength(1);
  expect(requests(calls.saveSettings)[0]?.body).toEqual({
    group: 'north',
    values: [
      { path: SSID, value: 'New' },
      { path: PASSPHRASE, value: null },
    ],
  });
  expect(requests(bulkJobs.startJob)[0]?.body).toEqual({
    action: {
      kind: 'send',
      send: 'apply-settings',
      wait: 168,
      window: { ignitionOffMinutes: 10, zone: 'America/Chicago' },
    },
    selection: { filter: { group: 'north' } },
  });
  expect(await screen.findByRole('heading', { name: 'Settings by vehicle' })).toBeTruthy();
});

test('TPL-03-partial what can cut vehicles off is confirmed first, and a value that does not fit is not reviewed', async () => {
  const { user, respond } = await startForm();
  respond(calls.previewSettings, {
    result: { ...difference, changes: [{ path: APN, before: null, after: 'x', isSecret: false, devices: 12, canCut: true }] },
  });
  await user.type(screen.getByLabelText('First address'), '1.2.3');
  expect(screen.getByText(/This must be an IPv4 address/u)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Review changes' }).getAttribute('aria-disabled')).toBe('true');
  await user.clear(screen.getByLabelText('First address'));
  await user.type(screen.getByLabelText('APN'), 'x');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const send = await screen.findByRole('button', { name: 'Save and send to 12 vehicles' });
  expect(send.getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByLabelText('I have checked these values'));
  expect(send.getAttribute('aria-disabled')).not.toBe('true');
});

test('TPL-02-partial a user reads the form and cannot change it', async () => {
  await startForm('user');
  expect(nameOf().disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Send again' }).getAttribute('aria-disabled')).toBe('true');
});

test('TPL-05-partial the list says which vehicles differ, since when, and what the last command said; it fails and is empty too', async () => {
  const { open, sendList, fail, user, loaded } = startConsole();
  fail(calls.listSettings, 'server.busy');
  await open('/groups/settings/devices');
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.');
  const row = example(calls.listSettings).result[0]!;
  sendList(calls.listSettings, [
    {
      ...row,
      vehicle_number: 'Bus 7',
      state: 'differs',
      differs: 2,
      since: '2026-11-23T09:27:00Z',
      exceptions: 1,
      command: { ...row.command!, state: 'failed', message: 'not changed' },
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await loaded();
  const [, first] = screen.getAllByRole('row');
  for (const text of ['Bus 7', 'Differs', '2 values, since', 'Failed: not changed', '1 value'])
    expect(first?.textContent).toContain(text);
});

test('TPL-05-partial the page of a device shows each value with its origin and what the router has, to send or adopt', async () => {
  const { open, respond, requests, user } = startConsole();
  const settings: calls.DeviceSettings = {
    ...example(calls.readDeviceSettings).result,
    state: 'differs',
    command: null,
    values: [
      {
        path: SSID,
        value: 'Bus {{vehicle}}',
        resolved: 'Bus 7',
        from: 'group',
        overrides: [{ path: SSID, value: 'Fleet', from: 'organization' }],
        state: 'differs',
        actual: 'Mine',
        since: '2026-11-23T09:27:00Z',
        message: '',
      },
    ],
  };
  respond(calls.readDeviceSettings, { result: settings });
  respond(calls.adoptSettings, { result: settings });
  respond(sentCommands.sendCommand, example(sentCommands.sendCommand));
  await open(`/devices/setting?device=${settings.device}&tab=settings`);
  const panel = (await screen.findByRole('heading', { name: 'Router settings' })).closest('section')!;
  expect(await within(panel).findByText('The router has Mine.')).toBeTruthy();
  for (const text of ['Bus 7', 'from the group', 'Replaces Fleet, from the organization.'])
    expect(panel.textContent).toContain(text);
  await user.click(within(panel).getByRole('button', { name: 'Adopt what the router has' }));
  await expect.poll(() => requests(calls.adoptSettings)).toHaveLength(1);
  await user.click(within(panel).getByRole('button', { name: 'Send settings' }));
  await expect.poll(() => requests(sentCommands.sendCommand)[0]?.body).toMatchObject({ kind: 'apply-settings', wait: 168 });
});
