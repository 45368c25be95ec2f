import { devices, remoteAccess } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, type ConsoleOptions, example, Failed, startConsole } from '../../testing/console.tsx';

const NOW = Date.parse('2026-11-23T15:30:00Z') / 1_000;
const OFFLINE = 'The connection cannot be built because the device is offline.';
const EXPIRED = 'The connection cannot be built because the subscription has expired.';
const IMPOSSIBLE = 'The password cannot be reset because the device is offline or the subscription has expired.';

function start(parts: Partial<devices.Device> = {}, options: ConsoleOptions = {}) {
  const started = startConsole(options);
  const { result } = example(devices.getDevice);
  const known = { device: 'one', serial_number: 'HL-1', vehicleNumber: '', vehicle_number: '', agent: null };
  const reached = { presence: 'online' as const, presence_since: NOW - 60, subscription_status: 'In Warranty' };
  started.respond(devices.getDevice, { result: { ...result, ...known, ...reached, ...parts } });
  started.respond(remoteAccess.getConnection, { result: null, types: ['ssh', 'gui'] });
  const { user } = started;
  return {
    ...started,
    async connect() {
      await user.click(button('Connect'));
      await user.click(screen.getByLabelText(/^SSH/u));
      await user.click(button('Next'));
    },
    async reset() {
      await user.click(button('Reset PWD'));
      const question = screen.getByRole('alertdialog', { name: 'Reset PWD' });
      expect(question.textContent).toContain('Reset the admin login of HL-1');
      await user.click(within(question).getByRole('button', { name: 'Reset' }));
    },
    async reads(title: string, text: string) {
      const dialog = await screen.findByRole('alertdialog', { name: title });
      expect(dialog.textContent).toContain(text);
      await user.click(within(dialog).getByRole('button', { name: 'OK' }));
    },
  };
}

const page = '/devices/setting?device=one&tab=diagnostics';

test.each([
  ['offline', { presence: 'offline' }, OFFLINE],
  ['after its subscription', { subscription_status: 'Not subscribed', expired: '12/31/2020' }, EXPIRED],
] as const)(
  'RMT-05-partial RMT-06-partial of a router that is %s a press says why, and nothing is sent',
  async (_, parts, why) => {
    const { open, requests, user, reads } = start(parts);
    await open(page);
    await user.click(button('Connect'));
    await reads('Connection Error', why);
    await user.click(button('Reset PWD'));
    await reads('Connection Error', IMPOSSIBLE);
    expect([...requests(remoteAccess.connectDevice), ...requests(remoteAccess.resetGuiPassword)]).toEqual([]);
  },
);

test('RMT-01-partial Connect offers only what this server can open', async () => {
  const { open, respond, user } = start();
  respond(remoteAccess.getConnection, { result: null, types: ['gui'] });
  await open(page);
  await user.click(button('Connect'));
  expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
    expect.stringContaining('Web GUI'),
  ]);
});

test('RMT-05-partial where this server can open neither SSH nor pages, Connect leads to the terminal', async () => {
  const { open, respond, requests, reads, user } = start();
  respond(remoteAccess.getConnection, { result: null, types: [] });
  await open(page);
  await user.click(button('Connect'));
  await reads('Connection Error', 'Use the terminal in the browser.');
  expect(requests(remoteAccess.connectDevice)).toEqual([]);
});

test('RMT-04-partial the dialog about an existing connection says whose it is', async () => {
  const { open, respond, connect, requests } = start();
  const other = { type: 'ssh' as const, by: 'ben@lakeshore.example', own: false, since: NOW, credentials_expire: null };
  respond(remoteAccess.connectDevice, () => new Failed('remote.exists'));
  respond(remoteAccess.getConnection, () => ({
    result: requests(remoteAccess.connectDevice).length > 0 ? other : null,
    types: [...remoteAccess.connectionTypes],
  }));
  await open(page);
  await connect();
  const dialog = await screen.findByRole('alertdialog', { name: 'Connection Exists' });
  expect(dialog.textContent).toContain('Opened by ben@lakeshore.example');
});

test('RMT-05 RMT-06 a page that does not know it yet gets each reason from the server, or the message of the router', async () => {
  const { open, respond, connect, reset, reads, requests } = start();
  await open(page);
  for (const [key, text] of [
    ['remote.offline', OFFLINE],
    ['remote.not_subscribed', EXPIRED],
  ] as const) {
    respond(remoteAccess.connectDevice, () => new Failed(key));
    await connect();
    await reads('Connection Error', text);
  }
  respond(remoteAccess.connectDevice, { statusCode: 7022, url: '', port: 0, statusMsg: 'Locked by the depot.' });
  await connect();
  await reads('Connection Error', 'Locked by the depot.');
  respond(remoteAccess.resetGuiPassword, () => new Failed('remote.reset_impossible'));
  await reset();
  await reads('Connection Error', IMPOSSIBLE);
  respond(remoteAccess.resetGuiPassword, () => new Failed('remote.reset_failed'));
  await reset();
  await reads('Reset PWD', 'Password reset failed');
  respond(remoteAccess.resetGuiPassword, { result: { reset: true } });
  await reset();
  await reads('Reset PWD', "The device's admin login credentials have been reset to default.");
  expect(requests(remoteAccess.resetGuiPassword).map(({ body }) => body?.serial)).toEqual(['HL-1', 'HL-1', 'HL-1']);
  expect(requests(remoteAccess.connectDevice)[0]?.body).toMatchObject({ serial: 'HL-1', type: 'ssh' });
});

test('RMT-02 credentials count down from 05:00 each second, and at zero they are gone from the page', async () => {
  const { open, respond, advance, connect, user, requests } = start({}, { timers: 'fake' });
  await open(page);
  respond(remoteAccess.connectDevice, { statusCode: 200, url: '192.0.2.9', port: 40_022 });
  respond(remoteAccess.getOneTimeSecret, () => ({
    statusCode: 200,
    content: {
      username: 'once',
      password: 'p4ss-w0rd',
      expires: Math.round(Date.now() / 1_000) + remoteAccess.CREDENTIAL_SECONDS,
    },
  }));
  const mine = { type: 'ssh' as const, by: 'ana@lakeshore.example', own: true, since: NOW, credentials_expire: null };
  respond(remoteAccess.getConnection, () => ({
    result: requests(remoteAccess.connectDevice).length > requests(remoteAccess.cancelConnection).length ? mine : null,
    types: [...remoteAccess.connectionTypes],
  }));
  await connect();
  const shell = await screen.findByRole('dialog', { name: 'SSH to HL-1' });
  const seconds = () => {
    const [minutes = 0, rest = 0] = (within(shell).getByRole('timer').textContent ?? '').split(':').map(Number);
    return minutes * 60 + rest;
  };
  expect(within(shell).getByRole('timer').textContent).toMatch(/^(?:05:00|04:5\d)$/u);
  expect(shell.textContent).toContain('ssh -p 40022 once@192.0.2.9');
  expect(shell.textContent).toContain('p4ss-w0rd');
  const before = seconds();
  await advance(10_000);
  expect(before - seconds()).toBeGreaterThanOrEqual(9);
  await advance((seconds() - 30) * 1_000);
  expect(shell.textContent).toContain('p4ss-w0rd');
  await advance(31_000);
  expect(within(shell).getByRole('alert').textContent).toContain('The credentials have expired.');
  expect(shell.textContent).not.toContain('p4ss-w0rd');
  respond(remoteAccess.cancelConnection, { result: { ended: true } });
  await user.click(within(shell).getByRole('button', { name: 'Cancel Connection' }));
  expect(await screen.findByText('The connection was ended.')).toBeTruthy();
  expect(requests(remoteAccess.cancelConnection)[0]?.body).toMatchObject({ device: 'one' });
});
