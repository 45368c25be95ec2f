import { commands, devices } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';

test('DEV-07-partial DEV-09-partial the page of a device shows what its router rejected, in the setup and of a command', async () => {
  const { open, respond, user, fill, requests, loaded, push } = startConsole();
  const message = 'Too many subscriptions: at most 3 are allowed <by this agent>';
  const { result } = example(devices.getDevice);
  respond(devices.getDevice, {
    result: {
      ...result,
      device: 'one',
      agent: null,
      set_up: { polled: true, unread: false, faults: [{ part: 'push', code: 7005, message }] },
    },
  });
  respond(commands.listCommands, { result: [] });
  await open('/devices/setting?device=one');
  const panel = () => screen.getByRole('region', { name: 'Setup is incomplete' });
  expect(within(panel()).getByRole('listitem').textContent).toBe(`Readings are not sentRouter response: ${message} (error 7005)`);
  await user.click(screen.getByRole('link', { name: 'Diagnostics' }));
  await loaded();
  expect(within(panel()).getAllByRole('listitem')).toHaveLength(1);
  expect((await screen.findByRole('region', { name: 'Router agent' })).textContent).toContain('Polled at regular intervals');

  const command = {
    ...example(commands.addCommand).result,
    id: 'find',
    name: 'Find it',
    kind: 'identify' as const,
    argument: '30',
    pinned: false,
  };
  respond(commands.addCommand, () => {
    respond(commands.listCommands, { result: [command] });
    return { result: command };
  });
  await user.click(screen.getByRole('button', { name: 'New command' }));
  const dialog = within(await screen.findByRole('dialog'));
  await fill(dialog.getByRole('textbox', { name: 'Name' }), 'Find it');
  await user.selectOptions(dialog.getByLabelText(/Action/u), 'identify');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(commands.addCommand)).toHaveLength(1);
  push('commands');
  respond(commands.runCommand, {
    result: { outcome: 'unsupported', message: 'CheckPathProperties: Path is invalid', code: 7026 },
  });
  await user.click((await screen.findAllByRole('button', { name: 'Run Find it' }))[0]!);
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Run' }));
  await screen.findByText(/does not support this command\./u);
  expect(screen.getByRole('alertdialog').textContent).toContain('Router response: CheckPathProperties');
  expect(requests(commands.runCommand)[0]).toMatchObject({ params: { command: 'find' }, body: { device: 'one' } });
});
