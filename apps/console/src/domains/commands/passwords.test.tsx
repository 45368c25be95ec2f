import { bulkJobs, devices, routerPasswords, sentCommands } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const stored: routerPasswords.RouterPassword = {
  device: 'd1',
  serial_number: 'HL-1',
  vehicle_number: 'Bus 7',
  username: 'admin',
  set: '2026-11-01T00:00:00Z',
  due: '2026-11-20T00:00:00Z',
  is_due: true,
  pending: null,
  offered: true,
};
const never = { ...stored, device: 'd2', serial_number: 'HL-2', vehicle_number: 'Bus 8', username: null, set: null, due: null };
const command: sentCommands.SentCommand = {
  ...example(sentCommands.sendCommand).result,
  name: '',
  kind: 'set-password',
  argument: 'admin',
};

/** The diagnostics of a device. */
async function startDevice(more: object, password: object = {}, role: 'admin' | 'user' = 'admin') {
  const tools = startConsole({ role });
  const { device } = example(devices.getDevice).result;
  tools.respond(devices.getDevice, {
    result: {
      ...example(devices.getDevice).result,
      serial_number: 'HL-1',
      vehicleNumber: 'Bus 7',
      vehicle_number: 'Bus 7',
      presence: 'online',
      offers: ['set-password'],
      agent: null,
      ...more,
    },
  });
  tools.respond(sentCommands.listSentCommands, { result: [], total: 0 });
  tools.respond(routerPasswords.listRouterPasswords, { result: [{ ...stored, ...password }], total: 1 });
  await tools.open(`/devices/setting?device=${device}&tab=diagnostics`);
  const panel = within(await screen.findByRole('region', { name: 'Web page password' }));
  await panel.findByText(/Set for admin|Not set/u);
  return { ...tools, device, panel };
}
const disabled = (button: HTMLElement) => button.getAttribute('aria-disabled');

test('LIV-11-partial a random password is shown once with its answer, and the dialog asks before it is lost', async () => {
  const { user, panel, requests, respond, device } = await startDevice({});
  expect(panel.getByText('Set for admin · due')).toBeTruthy();
  respond(routerPasswords.setRouterPassword, { result: { command, password: 'Kx7mPq2wTn4vRb8d' } });
  await user.click(panel.getByRole('button', { name: 'Set password' }));
  const form = within(await screen.findByRole('dialog', { name: 'Set the web page password of Bus 7' }));
  await user.clear(form.getByLabelText('User name on the router'));
  await user.type(form.getByLabelText('User name on the router'), 'a"b');
  await user.type(form.getByLabelText('Password'), 'short');
  await user.click(form.getByRole('button', { name: 'Set password' }));
  expect(form.getByText('Use letters, digits and . _ @ - only.')).toBeTruthy();
  expect(form.getByText(/Use 8 to 64/u)).toBeTruthy();
  expect(requests(routerPasswords.setRouterPassword)).toEqual([]);
  await user.clear(form.getByLabelText('User name on the router'));
  await user.type(form.getByLabelText('User name on the router'), 'admin');
  await user.clear(form.getByLabelText('Password'));
  await user.click(form.getByRole('button', { name: 'Set password' }));
  const secret = within(await screen.findByRole('dialog', { name: 'New password of Bus 7' }));
  expect(secret.getByText('Kx7mPq2wTn4vRb8d')).toBeTruthy();
  expect(requests(routerPasswords.setRouterPassword).at(-1)?.body).toEqual({ device, username: 'admin' });
  await user.click(secret.getByRole('button', { name: 'Close' }));
  expect(await screen.findByText(/1 secret was not saved/u)).toBeTruthy();
});

test('LIV-11-partial for a router that is off it waits as long as a person says', async () => {
  const { user, panel, requests, respond, device } = await startDevice({ presence: 'offline' });
  respond(routerPasswords.setRouterPassword, { result: { command, password: null } });
  await user.click(panel.getByRole('button', { name: 'Set password' }));
  const form = within(await screen.findByRole('dialog', { name: 'Set the web page password of Bus 7' }));
  await user.type(form.getByLabelText('Password'), 'typed-by-hand');
  await user.selectOptions(form.getByLabelText('Wait for the router at most'), '7 days');
  await user.click(form.getByRole('button', { name: 'Let it wait' }));
  expect(await screen.findByText('The password was sent to Bus 7.')).toBeTruthy();
  expect(requests(routerPasswords.setRouterPassword).at(-1)?.body).toEqual({
    device,
    username: 'admin',
    password: 'typed-by-hand',
    wait: 168,
  });
});

test('LIV-11-partial it is shown again to who gives the own password, with those that the router may have as well', async () => {
  const { user, panel, respond, fail } = await startDevice({}, { pending: 'unconfirmed' });
  expect(panel.getByText(/did not confirm it/u)).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Show password' }));
  const form = within(await screen.findByRole('dialog', { name: 'Web page password of Bus 7' }));
  expect(disabled(form.getByRole('button', { name: 'Show password' }))).toBe('true');
  fail(routerPasswords.showRouterPassword, 'account.wrong_password');
  await user.type(form.getByLabelText('Your password'), 'a guess');
  await user.click(form.getByRole('button', { name: 'Show password' }));
  expect(await form.findByText('That is not your password.')).toBeTruthy();
  const at = '2026-11-02T00:00:00Z';
  respond(routerPasswords.showRouterPassword, {
    result: [
      { username: 'admin', password: 'newer-one', state: 'unconfirmed', at },
      { username: 'admin', password: '<b>older</b>', state: 'set', at },
    ],
  });
  await user.type(form.getByLabelText('Your password'), ' and the rest');
  await user.click(form.getByRole('button', { name: 'Show password' }));
  expect(await screen.findByText('newer-one')).toBeTruthy();
  expect(screen.getByText('<b>older</b>')).toBeTruthy();
  expect(screen.getByText(/The router may have any of these/u)).toBeTruthy();
});

test('LIV-11-partial a router without users is greyed with the reason, a user may neither set nor see it', async () => {
  const lacking = await startDevice({ offers: ['reboot'] }, { username: null, set: null, is_due: false });
  const [set, show] = [
    lacking.panel.getByRole('button', { name: /^Set password/u }),
    lacking.panel.getByRole('button', { name: /^Show password/u }),
  ];
  expect([disabled(set), disabled(show)]).toEqual(['true', 'true']);
  expect(lacking.panel.getByText('This router has no users whose password can be set.')).toBeTruthy();
});

test('LIV-11-partial a user sees the state alone', async () => {
  const { panel } = await startDevice({}, {}, 'user');
  for (const name of [/^Set password/u, /^Show password/u]) expect(disabled(panel.getByRole('button', { name }))).toBe('true');
});

test('LIV-11-partial the list has what is due, replaces the passwords of many, and holds the settings', async () => {
  const tools = startConsole({ role: 'admin' });
  tools.respond(routerPasswords.listRouterPasswords, {
    result: [stored, never, { ...never, device: 'd3', offered: false }],
    total: 3,
  });
  tools.respond(routerPasswords.readPasswordSettings, {
    result: { length: 16, symbols: false, rotateDays: null, automatic: false, version: 'a' },
  });
  tools.respond(bulkJobs.startJob, { result: { ...example(bulkJobs.startJob).result, total: 2 } });
  await tools.open('/commands/passwords');
  expect(await screen.findByText('1–3 of 3')).toBeTruthy();
  expect(screen.getByText(/No password is ever due/u)).toBeTruthy();
  expect(screen.getByText('This router has no users whose password can be set.')).toBeTruthy();
  await tools.user.click(screen.getByRole('button', { name: 'Due' }));
  await expect.poll(() => tools.requests(routerPasswords.listRouterPasswords).at(-1)?.query).toMatchObject({ due: 'true' });
  await tools.user.click(screen.getByRole('checkbox', { name: /all/iu }));
  await tools.user.click(screen.getByRole('button', { name: 'Set random passwords' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Set random passwords' }));
  await tools.user.click(question.getByRole('button', { name: 'Set random passwords' }));
  expect(await screen.findByText('2 routers get new passwords.')).toBeTruthy();
  expect(tools.requests(bulkJobs.startJob).at(-1)?.body).toEqual({
    action: { kind: 'send', send: 'set-password', argument: 'admin', wait: 168 },
    selection: { devices: ['d1', 'd2'] },
  });
  const settings = { length: 20, symbols: true, rotateDays: 30, automatic: true };
  tools.respond(routerPasswords.savePasswordSettings, { result: { ...settings, version: 'b' } });
  await tools.user.click(screen.getByRole('button', { name: 'Password settings' }));
  const form = within(await screen.findByRole('dialog', { name: 'Password settings' }));
  await tools.user.clear(form.getByLabelText('Length of random passwords'));
  await tools.user.type(form.getByLabelText('Length of random passwords'), '20');
  await tools.user.click(form.getByLabelText('With punctuation'));
  await tools.user.click(form.getByLabelText('Passwords are due after some days'));
  await tools.user.clear(form.getByLabelText('Days'));
  await tools.user.type(form.getByLabelText('Days'), '30');
  await tools.user.click(form.getByLabelText('Replace due passwords automatically'));
  await tools.user.click(form.getByRole('button', { name: 'Save' }));
  await expect.poll(() => tools.requests(routerPasswords.savePasswordSettings).at(-1)?.body).toEqual(settings);
});
