import { bulkJobs, devices, routerBackups, sentCommands } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../testing/console.tsx';

const newest: routerBackups.RouterBackup = {
  ...example(routerBackups.listBackups).result[0]!,
  id: 'b2',
  serial_number: 'HL-1',
  created: '2026-11-27T02:10:00Z',
  confirmed: '2026-11-27T02:10:00Z',
  text: true,
};
const older = { ...newest, id: 'b1', serial_number: 'HL-0', created: '2026-11-20T02:10:00Z', confirmed: '2026-11-26T02:10:00Z' };
const command = { ...example(sentCommands.sendCommand).result, name: '', kind: 'restore-config' as const };

async function startDevice(more: object = {}, role: 'admin' | 'user' = 'admin') {
  const tools = startConsole({ role });
  const { device } = example(devices.getDevice).result;
  tools.respond(devices.getDevice, {
    result: {
      ...example(devices.getDevice).result,
      serial_number: 'HL-1',
      vehicleNumber: 'Bus 7',
      vehicle_number: 'Bus 7',
      presence: 'online',
      offers: ['backup-config', 'restore-config'],
      ...more,
    },
  });
  tools.respond(sentCommands.listSentCommands, { result: [], total: 0 });
  tools.respond(routerBackups.listBackups, { result: [newest, older], total: 2 });
  await tools.open(`/devices/setting?device=${device}&tab=settings`);
  const panel = within(await screen.findByRole('region', { name: 'Backups of the configuration' }));
  await panel.findAllByRole('button', { name: 'Restore' });
  return { ...tools, device, panel };
}
const disabled = (button: HTMLElement) => button.getAttribute('aria-disabled');

test('TPL-06-partial a version is compared with the one before, and restored after its serial number was typed', async () => {
  const { user, panel, respond, requests } = await startDevice();
  respond(routerBackups.compareBackup, {
    result: { text: 'zone = CST\nkey = •••••• (1)\n', against: 'zone = EST\nkey = •••••• (1)\n' },
  });
  await user.click(panel.getAllByRole('button', { name: 'Show differences' })[0]!);
  const dialog = within(await screen.findByRole('dialog', { name: /^Configuration of/u }));
  expect((await dialog.findByText('zone = CST')).tagName).toBe('INS');
  expect(dialog.getByText('zone = EST').tagName).toBe('DEL');
  expect(requests(routerBackups.compareBackup)[0]?.query).toMatchObject({ against: 'b1' });
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(panel.getByText(/from router HL-0/u)).toBeTruthy();

  respond(routerBackups.restoreBackup, { result: command });
  await user.click(panel.getAllByRole('button', { name: 'Restore' })[1]!);
  const question = within(await screen.findByRole('alertdialog', { name: 'Restore the configuration of Bus 7' }));
  await user.click(question.getByRole('button', { name: 'Restore' }));
  expect(requests(routerBackups.restoreBackup)).toEqual([]);
  await user.type(question.getByRole('textbox'), 'HL-1');
  await user.click(question.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Bus 7 is restoring the backup.')).toBeTruthy();
  expect(requests(routerBackups.restoreBackup)[0]?.body).toMatchObject({ confirmation: 'HL-1' });
});

test('TPL-06-partial restoring says that a second person has to approve it', async () => {
  const { user, panel, respond } = await startDevice();
  respond(routerBackups.restoreBackup, () => new Failed('approval.waiting'));
  await user.click(panel.getAllByRole('button', { name: 'Restore' })[0]!);
  const question = within(await screen.findByRole('alertdialog'));
  await user.type(question.getByRole('textbox'), 'HL-1');
  await user.click(question.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText(/A second person has to approve this first/u)).toBeTruthy();
});

test('TPL-06-partial a router that lacks the commands is grey, and so is everything for who may only read', async () => {
  const { panel } = await startDevice({ offers: ['reboot'] });
  for (const name of ['Back up now', 'Restore']) expect(disabled(panel.getAllByRole('button', { name })[0]!)).toBe('true');
  expect(disabled(panel.getAllByRole('button', { name: 'Download' })[0]!)).not.toBe('true');
});

test('TPL-06-partial a reader sees the versions and can do nothing with them', async () => {
  const { panel } = await startDevice({}, 'user');
  for (const name of ['Back up now', 'Restore', 'Download', 'Show differences'])
    expect(disabled(panel.getAllByRole('button', { name })[0]!)).toBe('true');
});

const settings = { nightly: false, hour: 2, zone: 'UTC', versions: 30, days: 365, by: '', stopped: null, version: 'a' };

test('TPL-06-partial vehicles without a recent backup are backed up as a job, and the night is set', async () => {
  const { user, open, respond, requests } = startConsole({ role: 'admin' });
  const row = { device: 'd1', serial_number: 'HL-1', vehicle_number: 'Bus 7', online: true, last: null, offered: true };
  const lacking = { ...row, device: 'd2', serial_number: 'HL-2', vehicle_number: 'Bus 8', offered: false };
  respond(routerBackups.listOverdue, { result: [row, lacking], total: 2 });
  respond(routerBackups.readSettings, { result: settings });
  await open('/backups');
  expect(await screen.findByText(/Nightly backups are off/u)).toBeTruthy();
  await user.click(await screen.findByRole('checkbox', { name: /Bus 7/u }));
  await user.click(screen.getByRole('checkbox', { name: /Bus 8/u }));
  respond(bulkJobs.startJob, { result: { ...example(bulkJobs.startJob).result, total: 1 } });
  await user.click(screen.getByRole('button', { name: 'Back up now' }));
  expect(await screen.findByText('The backup of 1 router has begun.')).toBeTruthy();
  expect(requests(bulkJobs.startJob)[0]?.body).toMatchObject({
    selection: { devices: ['d1'] },
    action: { kind: 'send', send: 'backup-config' },
  });

  await user.click(screen.getByRole('button', { name: 'Backup settings' }));
  const form = within(await screen.findByRole('dialog', { name: 'Backup settings' }));
  await user.click(form.getByRole('checkbox', { name: 'Back up routers every night' }));
  await user.clear(form.getByLabelText('Versions to keep of each vehicle'));
  await user.type(form.getByLabelText('Versions to keep of each vehicle'), '0');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(requests(routerBackups.saveSettings)).toEqual([]);
  await user.clear(form.getByLabelText('Versions to keep of each vehicle'));
  await user.type(form.getByLabelText('Versions to keep of each vehicle'), '14');
  respond(routerBackups.saveSettings, { result: { ...settings, nightly: true, versions: 14 } });
  await user.click(form.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => requests(routerBackups.saveSettings)[0]?.body)
    .toMatchObject({ nightly: true, hour: 2, versions: 14, days: 365 });
});

test('TPL-06-partial nightly backups that stopped say since when, whose they were, and what to do; who is limited cannot change them', async () => {
  const limitedTo = { groups: [{ id: 'north', name: 'North depot' }], tags: [] };
  const { open, respond } = startConsole({ session: { limitedTo } });
  respond(routerBackups.listOverdue, { result: [], total: 0 });
  const by = 'left@lakeshore.example';
  respond(routerBackups.readSettings, { result: { ...settings, nightly: true, by, stopped: '2026-11-27T02:00:00Z' } });
  await open('/backups');
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Nightly backups stopped on .*: left@lakeshore.example, who saved them, left/u,
  );
  expect(screen.queryByText(/Routers are backed up every night/u)).toBeNull();
  const button = screen.getByRole('button', { name: 'Backup settings' });
  expect(disabled(button)).toBe('true');
  expect(screen.getByText(/^You see only some of the vehicles of your organization/u)).toBeTruthy();
});
