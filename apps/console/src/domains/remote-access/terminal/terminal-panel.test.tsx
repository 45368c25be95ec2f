// @vitest-environment happy-dom
import { devices, recordings, remoteAccess } from '@highline/contract';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, type ConsoleOptions, example, Failed, startConsole } from '../../../testing/console.tsx';
import { terminal } from '../../../testing/stand-ins.tsx';

beforeEach(() => void (terminal.end = () => {}));

const shown = () => screen.findByRole('region', { name: 'Terminal of HL-1' });

async function start(
  settings: Partial<recordings.RecordingSettings> = {},
  options: ConsoleOptions = {},
  parts: Partial<devices.Device> = {},
) {
  const started = startConsole(options);
  const { result } = example(devices.getDevice);
  const known = { device: 'one', serial_number: 'HL-1', vehicleNumber: '', vehicle_number: '', agent: null };
  const reached = { presence: 'online' as const, subscription_status: 'In Warranty' };
  started.respond(devices.getDevice, { result: { ...result, ...known, ...reached, ...parts } });
  started.respond(remoteAccess.getConnection, { result: null, types: ['ssh', 'gui'] });
  const recorded = settings.recorded === true;
  started.respond(recordings.getRecordingSettings, { result: { recorded: false, days: 90, version: 'a', ...settings } });
  started.respond(remoteAccess.openTerminal, { statusCode: 200, ticket: 'ticket', recorded });
  await started.open('/devices/terminal?device=one');
  return started;
}

test('LIV-07-partial the user reads that a terminal is recorded before it is opened and while it is open', async () => {
  const { user } = await start({ recorded: true, days: 30 });
  expect(await screen.findByText(/what the router shows is stored with your name for 30 days/u)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Recordings of this device' }).getAttribute('href')).toBe('/recordings?device=one');
  await user.click(button('Open terminal'));
  await shown();
  expect(screen.getByText('This terminal is recorded with your name.')).toBeTruthy();
});

test('LIV-07-partial without recording nothing is said about it, and the reason for an end is shown', async () => {
  const { user } = await start();
  await user.click(button('Open terminal'));
  await shown();
  expect(screen.queryByText(/recorded/u)).toBeNull();
  act(() => terminal.end('recording-failed'));
  expect(await screen.findByText('It could not be recorded any longer. Try again later.')).toBeTruthy();
  await user.click(button('Open again'));
  await shown();
  act(() => terminal.end(''));
  expect(await screen.findByText('The connection to the server broke.')).toBeTruthy();
});

test('LIV-07-partial a terminal that is closed can be opened again only when its session has ended', async () => {
  const { user, respond } = await start();
  const { promise, resolve } = Promise.withResolvers<{ result: { ended: boolean } }>();
  respond(remoteAccess.cancelConnection, () => promise);
  await user.click(button('Open terminal'));
  await shown();
  respond(remoteAccess.getConnection, {
    result: { ...example(remoteAccess.getConnection).result!, own: true },
    types: ['ssh', 'gui'],
  });
  await user.click(button('Close terminal'));
  expect(button('Open terminal').getAttribute('aria-busy')).toBe('true');
  respond(remoteAccess.getConnection, { result: null, types: ['ssh', 'gui'] });
  resolve({ result: { ended: true } });
  await vi.waitFor(() => expect(button('Open terminal').getAttribute('aria-busy')).not.toBe('true'));
});

test('LIV-07-partial a terminal that is given up just as it opens ends its session', async () => {
  const { user, respond, requests } = await start();
  const { promise, resolve } = Promise.withResolvers<{ statusCode: number; ticket: string; recorded: boolean }>();
  respond(remoteAccess.openTerminal, () => promise);
  await user.click(button('Open terminal'));
  await vi.waitFor(() => expect(requests(remoteAccess.openTerminal)).toHaveLength(1));
  respond(remoteAccess.getConnection, {
    result: { ...example(remoteAccess.getConnection).result!, own: true },
    types: ['ssh', 'gui'],
  });
  respond(remoteAccess.cancelConnection, { result: { ended: true } });
  await user.click(button('Cancel'));
  resolve({ statusCode: 200, ticket: 'ticket', recorded: false });
  await vi.waitFor(() => expect(requests(remoteAccess.cancelConnection)[0]?.body).toMatchObject({ device: 'one' }));
});

test('LIV-07-partial a router that rejects it says why; only an admin can open one of a router that is online', async () => {
  const { user, respond } = await start();
  respond(remoteAccess.openTerminal, { statusCode: 502, ticket: '', recorded: false, statusMsg: 'No shell here' });
  await user.click(button('Open terminal'));
  expect(await screen.findByText('No shell here')).toBeTruthy();
  await user.click(button('OK'));
  respond(remoteAccess.openTerminal, () => new Failed('remote.offline'));
  await user.click(button('Open terminal'));
  expect(await screen.findByText(/because the device is offline/u)).toBeTruthy();
});
