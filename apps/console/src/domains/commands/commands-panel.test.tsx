import { commands, devices } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const blink = { id: 'blink', name: 'Find it', kind: 'identify', argument: '60', pinned: true, version: '1' } as const;
const restart = { id: 'restart', name: 'Start again', kind: 'reboot', argument: '', pinned: true, version: '1' } as const;
const abroad = { id: 'abroad', name: 'Abroad', kind: 'roaming', argument: 'false', pinned: false, version: '1' } as const;
const panel = () => within(screen.getByRole('region', { name: 'Commands' }));
const question = async () => within(await screen.findByRole('alertdialog'));

/** The diagnostics of the device HL-1, with these commands. */
async function startCommands(all: readonly commands.CustomCommand[], role: 'admin' | 'user' = 'admin') {
  const tools = startConsole({ role });
  const { device } = example(devices.getDevice).result;
  tools.respond(devices.getDevice, {
    result: { ...example(devices.getDevice).result, serial_number: 'HL-1', vehicleNumber: '', vehicle_number: '', agent: null },
  });
  const set = (next: readonly commands.CustomCommand[]) => {
    tools.respond(commands.listCommands, { result: [...next] });
    tools.push('commands');
  };
  set(all);
  await tools.open(`/devices/setting?device=${device}&tab=diagnostics`);
  await panel().findByRole('heading');
  return { ...tools, set, device, head: () => within(screen.getByRole('heading', { level: 1 }).closest('header')!) };
}

test('OLD-03-partial a command is named, checked and pinned; no more than two are', async () => {
  const { user, fail, respond, set, requests, head } = await startCommands([]);
  expect(panel().getByText(/^No commands yet\./u)).toBeTruthy();
  await user.click(panel().getByRole('button', { name: 'New command' }));
  const dialog = within(screen.getByRole('dialog', { name: 'New command' }));
  await user.type(dialog.getByLabelText(/^Name/u), 'Find it');
  await user.selectOptions(dialog.getByLabelText('Action'), 'Blink the LEDs');
  await user.clear(dialog.getByLabelText(/^Seconds/u));
  await user.type(dialog.getByLabelText(/^Seconds/u), '9000');
  await user.click(dialog.getByLabelText(/^Pinned as a button/u));
  fail(commands.addCommand, 'request.invalid', { field: 'argument' });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Invalid Seconds format')).toBeTruthy();
  await user.clear(dialog.getByLabelText(/^Seconds/u));
  await user.type(dialog.getByLabelText(/^Seconds/u), '60');
  fail(commands.addCommand, 'command.name_taken', { field: 'name' });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('A command with this name already exists.')).toBeTruthy();
  respond(commands.addCommand, { result: blink });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  set([blink, restart, abroad]);
  expect(await panel().findByText('Blinks the LEDs for 60 s')).toBeTruthy();
  expect(requests(commands.addCommand).at(-1)?.body).toEqual({ name: 'Find it', kind: 'identify', argument: '60', pinned: true });
  for (const name of ['Find it', 'Start again']) expect(head().getByRole('button', { name })).toBeTruthy();
  const third = panel().getByRole('button', { name: 'Pin Abroad' });
  expect(third.getAttribute('aria-disabled')).toBe('true');
  await user.hover(third);
  expect(await screen.findByText('Two commands are already pinned. Unpin one first.')).toBeTruthy();
  respond(commands.saveCommand, { result: restart });
  await user.click(panel().getByRole('button', { name: 'Unpin Start again' }));
  set([blink, { ...restart, pinned: false }, abroad]);
  await expect.poll(() => head().queryByRole('button', { name: 'Start again' })).toBeNull();
  expect(requests(commands.saveCommand).at(-1)).toMatchObject({ params: { command: 'restart' }, body: { pinned: false } });
});

test("OLD-03-partial a run is confirmed with what it means, and the router's answer is shown", async () => {
  const { user, respond, fail, requests, head, device } = await startCommands([blink, restart, abroad]);
  respond(commands.runCommand, { result: { outcome: 'done', message: '', code: null } });
  await user.click(head().getByRole('button', { name: 'Find it' }));
  expect((await question()).getByText('Run Find it on HL-1?')).toBeTruthy();
  await user.click((await question()).getByRole('button', { name: 'Run' }));
  expect(await screen.findByText('HL-1 has completed it.')).toBeTruthy();
  expect(requests(commands.runCommand)[0]).toMatchObject({ params: { command: 'blink' }, body: { device } });
  await user.click(screen.getByRole('button', { name: 'OK' }));
  fail(commands.runCommand, 'command.offline');
  await user.click(head().getByRole('button', { name: 'Start again' }));
  expect((await question()).getByText(/^The router goes offline briefly while it restarts\./u)).toBeTruthy();
  await user.click((await question()).getByRole('button', { name: 'Run' }));
  expect(await screen.findByText(/^The router is not connected\. Nothing was sent\./u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'OK' }));
  await user.click(panel().getByRole('button', { name: 'Run Abroad' }));
  expect((await question()).getByText(/If this vehicle is roaming now, it loses its connection/u)).toBeTruthy();
  await user.click((await question()).getByRole('button', { name: 'Cancel' }));
  expect(requests(commands.runCommand)).toHaveLength(2);
});

test("OLD-03-partial another admin's change is shown and the input stays; a deletion is confirmed", async () => {
  const { user, fail, respond, set, requests } = await startCommands([blink, abroad]);
  await user.click(panel().getByRole('button', { name: 'Edit Find it' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Edit command' }));
  const seconds = dialog.getByLabelText<HTMLInputElement>(/^Seconds/u);
  await user.clear(seconds);
  await user.type(seconds, '30');
  const theirs = { ...blink, argument: '90', version: '2' };
  fail(commands.saveCommand, 'conflict.stale', { detail: theirs });
  set([theirs, abroad]);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/It is now Find it: Blinks the LEDs for 90 s, pinned\./u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'OK' }));
  expect(seconds.value).toBe('30');
  respond(commands.saveCommand, { result: { ...blink, argument: '30' } });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(commands.saveCommand).map(({ ifMatch }) => ifMatch)).toEqual(['"1"', '"2"']);
  respond(commands.deleteCommand, { result: { deleted: 1 } });
  await user.click(panel().getByRole('button', { name: 'Delete Abroad' }));
  await user.click((await question()).getByRole('button', { name: 'Yes' }));
  await expect.poll(() => requests(commands.deleteCommand)[0]?.params).toEqual({ command: 'abroad' });
});

test('OLD-03-partial a user sees them, and may neither run nor change one', async () => {
  const { head } = await startCommands([blink, abroad], 'user');
  expect(panel().getAllByRole('listitem')).toHaveLength(2);
  expect(panel().queryByRole('button', { name: /New|Edit|Delete|Pin/u })).toBeNull();
  for (const run of [panel().getByRole('button', { name: 'Run Find it' }), head().getByRole('button', { name: 'Find it' })])
    expect(run.getAttribute('aria-disabled')).toBe('true');
});
