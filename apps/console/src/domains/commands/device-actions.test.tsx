import { bulkJobs, devices, sentCommands } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const sent: sentCommands.SentCommand = {
  ...example(sentCommands.sendCommand).result,
  name: '',
  kind: 'reboot',
  argument: '',
  state: 'waiting',
  reason: null,
  message: '',
  ended: null,
};

/** The page of a device. */
async function startDevice(
  more: object,
  commands: readonly sentCommands.SentCommand[] = [],
  role: 'admin' | 'user' | 'main' = 'admin',
) {
  const tools = startConsole({ role });
  const { device } = example(devices.getDevice).result;
  tools.respond(devices.getDevice, {
    result: {
      ...example(devices.getDevice).result,
      serial_number: 'HL-1',
      vehicleNumber: 'Bus 7',
      vehicle_number: 'Bus 7',
      agent: null,
      ...more,
    },
  });
  tools.respond(sentCommands.listSentCommands, { result: [...commands], total: commands.length });
  tools.respond(sentCommands.sendCommand, { result: sent });
  await tools.open(`/devices/setting?device=${device}`);
  await screen.findByRole('heading', { level: 1, name: 'Bus 7' });
  return { ...tools, device };
}
const pick = async (user: Awaited<ReturnType<typeof startDevice>>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name }));
};

test('LIV-01-partial a connected router is restarted after a question; what it lacks is grey and says why', async () => {
  const { user, requests, device } = await startDevice({ presence: 'online', offers: ['reboot', 'factory-reset'] });
  await user.click(await screen.findByRole('button', { name: 'Actions' }));
  const lacking = screen.getByRole('menuitem', { name: /^Restart modem/u });
  expect([lacking.getAttribute('aria-disabled'), lacking.textContent]).toEqual([
    'true',
    'Restart modemThis router does not support it.',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Restart' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/goes offline for a few minutes/u)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Restart' }));
  expect(await screen.findByText('Restart was sent to Bus 7.')).toBeTruthy();
  expect(requests(sentCommands.sendCommand).at(-1)?.body).toEqual({ device, kind: 'reboot' });
});

test('WIN-02-partial a restart waits for a time at which it does no harm, also for a connected router', async () => {
  const { user, requests, device } = await startDevice({ presence: 'online', offers: null });
  await pick(user, 'Restart later…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Restart' }));
  await user.selectOptions(dialog.getByLabelText('When'), 'Only while standing still for 10 minutes');
  await user.click(dialog.getByRole('button', { name: 'Let it wait' }));
  expect(await screen.findByText('Restart waits for Bus 7.')).toBeTruthy();
  expect(requests(sentCommands.sendCommand).at(-1)?.body).toMatchObject({ device, kind: 'reboot', window: { stillMinutes: 10 } });
});

test('LIV-01-partial a factory reset needs the serial number', async () => {
  const { user, requests, device } = await startDevice({ presence: 'online', offers: null });
  await pick(user, 'Factory reset');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Factory reset' }));
  expect(dialog.getByRole('button', { name: 'Factory reset' }).getAttribute('aria-disabled')).toBe('true');
  await user.type(dialog.getByRole('textbox'), 'HL-1');
  await user.click(dialog.getByRole('button', { name: 'Factory reset' }));
  await expect
    .poll(() => requests(sentCommands.sendCommand).at(-1)?.body)
    .toEqual({ device, kind: 'factory-reset', confirmation: 'HL-1' });
});

test('LIV-09-partial a command for a router that is off waits as long as a person says, is shown, and can be cancelled', async () => {
  const { user, requests, respond, device, push } = await startDevice({ presence: 'offline', offers: null });
  await pick(user, 'Restart');
  const dialog = within(await screen.findByRole('dialog', { name: 'Restart' }));
  expect(dialog.getByText(/Bus 7 is not connected/u)).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText('Wait for the router at most'), '7 days');
  respond(sentCommands.listSentCommands, { result: [sent], total: 1 });
  await user.click(dialog.getByRole('button', { name: 'Let it wait' }));
  expect(await screen.findByText('Restart waits for Bus 7.')).toBeTruthy();
  expect(requests(sentCommands.sendCommand).at(-1)?.body).toEqual({ device, kind: 'reboot', wait: 168 });
  push('commands');
  const panel = within(await screen.findByRole('region', { name: 'Commands sent' }));
  expect(panel.getByText('Waiting for the router')).toBeTruthy();
  respond(sentCommands.cancelCommand, { result: { ...sent, state: 'cancelled' } });
  await user.click(panel.getByRole('button', { name: 'Cancel Restart' }));
  expect(await screen.findByText('Command cancelled')).toBeTruthy();
  const failed = { ...sent, state: 'failed', reason: 'rejected', message: 'not now', ended: new Date().toISOString() } as const;
  respond(sentCommands.listSentCommands, { result: [failed], total: 1 });
  push('commands');
  expect(await panel.findByText(/Rejected by the router: not now/u)).toBeTruthy();
});

test('LIV-01-partial a user sees what was sent, and the main account nothing of it', async () => {
  await startDevice({ presence: 'online', offers: null }, [sent], 'user');
  expect((await screen.findByRole('button', { name: 'Actions' })).getAttribute('aria-disabled')).toBe('true');
  const panel = within(await screen.findByRole('region', { name: 'Commands sent' }));
  expect(panel.queryByRole('button')).toBeNull();
});

test('LIV-01-partial the palette offers the actions of the device that is open', async () => {
  const { user } = await startDevice({ presence: 'online', offers: ['reboot'] });
  await screen.findByRole('button', { name: 'Actions' });
  await user.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Find a device or page' }));
  await user.click(await palette.findByRole('option', { name: /^Restart: Bus 7/u }));
  expect(await screen.findByRole('alertdialog', { name: 'Restart' })).toBeTruthy();
});

test('LIV-09-partial the list of commands shows all, or those that have not ended, and cancels those that wait', async () => {
  const tools = startConsole({ role: 'admin' });
  const done = { ...sent, id: 'b', state: 'done', kind: 'identify' } as const;
  tools.respond(sentCommands.listSentCommands, { result: [sent, done], total: 2 });
  await tools.open('/commands/sent');
  expect(await screen.findByText('1–2 of 2')).toBeTruthy();
  await tools.user.click(screen.getByRole('button', { name: 'Not ended' }));
  await expect.poll(() => tools.requests(sentCommands.listSentCommands).at(-1)?.query).toMatchObject({ open: 'true' });
});

test('BLK-01-partial LIV-09-partial selected rows are as the list shows them by now: in the file, and for what can be done', async () => {
  const tools = startConsole({ role: 'admin' });
  const other = { ...sent, id: 'b', kind: 'identify' } as const;
  tools.respond(sentCommands.listSentCommands, { result: [sent, other], total: 5_000 });
  await tools.open('/commands/sent');
  await tools.user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
  const bar = within(screen.getByRole('toolbar', { name: 'Selected rows' }));
  const cancel = () => bar.getByRole('button', { name: 'Cancel command' });
  expect(cancel().getAttribute('aria-disabled')).toBeNull();
  const ended = { state: 'failed', reason: 'rejected', ended: new Date().toISOString() } as const;
  tools.respond(sentCommands.listSentCommands, {
    result: [
      { ...sent, ...ended },
      { ...other, ...ended },
    ],
    total: 5_000,
  });
  tools.push('commands');
  await expect.poll(() => screen.getAllByText(/^Rejected/u)).toHaveLength(2);
  await expect.poll(() => cancel().getAttribute('aria-disabled')).toBe('true');
  await tools.loaded();
  await tools.user.click(bar.getByRole('button', { name: 'Export' }));
  await expect.poll(() => tools.downloads).toHaveLength(1);
  expect(await tools.downloads[0]!.content.text()).not.toContain('Waiting');
  await tools.user.click(bar.getByRole('button', { name: 'Select all 5,000 that match' }));
  await tools.loaded();
  tools.respond(sentCommands.listSentCommands, { result: [sent, other], total: 5_000 });
  tools.push('commands');
  await expect.poll(() => screen.getAllByText('Waiting for the router')).toHaveLength(2);
  expect(bar.getByText('5,000 selected')).toBeTruthy();
});

test('LIV-09-partial the commands of one device, or of one job, say so, and are all shown once that is removed', async () => {
  const tools = startConsole({ role: 'admin' });
  tools.respond(devices.getDevice, { result: { ...example(devices.getDevice).result, vehicle_number: 'Bus 7' } });
  const job = { ...example(bulkJobs.getJob).result, kind: 'send', send: 'reboot', name: null, total: 12, undo: false } as const;
  tools.respond(bulkJobs.getJob, { result: job });
  await tools.open('/commands/sent?device=bus-7&job=j1');
  expect(screen.getByRole('button', { name: 'Remove filter Vehicle#: Bus 7' })).toBeTruthy();
  expect(document.querySelector('.filters')?.textContent).toContain('12 devices');
  await tools.user.click(screen.getByRole('button', { name: 'Remove filter Vehicle#: Bus 7' }));
  await expect.poll(tools.address).toBe('/commands/sent?job=j1');
  await tools.user.click(screen.getByRole('button', { name: 'Clear' }));
  await expect.poll(tools.address).toBe('/commands/sent');
});
