// @vitest-environment happy-dom
import { devices, recordings } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, example, Failed, startConsole } from '../../testing/console.tsx';
import { terminal } from '../../testing/stand-ins.tsx';

beforeEach(() => void (terminal.shown = ''));

const BEGAN = Date.UTC(2026, 10, 19, 10, 5) / 1_000;
const ended = {
  id: 'one',
  device: 'bus',
  name: 'Bus 2166',
  serial: 'HL-1',
  client: null,
  by: 'ada@fleet.example',
  began: BEGAN,
  ended: BEGAN + 125,
  end: 'exited',
  bytes: 2_048,
} as const;
/** Of the network of a vehicle. */
const CAMERA = { mac: '00:1B:54:00:00:01', address: '192.168.1.11', port: 22 };
const cast = '{"version":2,"width":80,"height":24}\n[0,"o","router# "]\n[0.2,"o","status"]\n[60,"o"," ok"]\n';
const settings = { recorded: false, days: 90, version: 'a' };

describe('/recordings', () => {
  test('LIV-07-partial each recording says who, where, when, how long and why it ended; one that goes on says so', async () => {
    const { open, sendList, respond, requests } = startConsole();
    respond(recordings.getRecordingSettings, { result: { recorded: true, days: 30, version: 'a' } });
    sendList(recordings.listRecordings, [
      ended,
      { ...ended, id: 'two', name: 'Rail 11', client: CAMERA, ended: null, end: null },
    ]);
    respond(devices.getDevice, { result: { ...example(devices.getDevice).result, vehicle_number: 'Bus 2166' } });
    await open('/recordings?device=bus');
    expect(screen.getByText('Vehicle: Bus 2166')).toBeTruthy();
    expect(screen.getByText('Terminals are recorded. Recordings are kept for 30 days.')).toBeTruthy();
    expect(screen.getByRole('row', { name: /Bus 2166/u }).textContent).toMatch(/ada@fleet.example.*2:05.*Closed at the router/u);
    expect(screen.getByRole('row', { name: /Rail 11/u }).textContent).toMatch(/192\.168\.1\.11:22.*ongoing/u);
    expect(screen.getByRole('link', { name: /^Bus 2166: replay/u }).getAttribute('href')).toBe('/recordings/play?recording=one');
    expect(requests(recordings.listRecordings).at(-1)?.query).toMatchObject({ device: 'bus' });
  });

  test('LIV-07-partial an admin switches recording on and chooses the days; a number that is none is not sent', async () => {
    const { open, sendList, respond, requests, user } = startConsole();
    respond(recordings.getRecordingSettings, { result: settings });
    respond(recordings.saveRecordingSettings, { result: { recorded: true, days: 365, version: 'b' } });
    sendList(recordings.listRecordings, []);
    await open('/recordings');
    expect(screen.getByText('Terminals are not recorded.')).toBeTruthy();
    await user.click(button('Settings'));
    const dialog = within(screen.getByRole('dialog', { name: 'Recording of terminals' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Record terminals that are opened from now on' }));
    const days = dialog.getByRole('textbox', { name: 'Keep recordings for (days)' });
    await user.clear(days);
    await user.type(days, '4000');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Enter a whole number from 1 to 3650.')).toBeTruthy();
    await user.clear(days);
    await user.type(days, '365');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The settings were saved.')).toBeTruthy();
    expect(requests(recordings.saveRecordingSettings).map(({ body }) => body)).toEqual([
      expect.objectContaining({ recorded: true, days: 365 }),
    ]);
  });
});

describe('/recordings/play', () => {
  const start = (text = cast) => {
    const console = startConsole();
    console.sendList(recordings.listRecordings, [ended]);
    console.respond(recordings.readRecording, text);
    return console;
  };

  test('LIV-07-partial a recording is played to its end, and moved through by pointer and keyboard', async () => {
    const { open, user } = start('{"version":2}\n[0,"o","router# "]\n[0.2,"o","status"]\n[0.3,"o"," ok"]\n');
    await open('/recordings/play?recording=one');
    await user.click(await screen.findByRole('button', { name: 'Play' }));
    await screen.findByRole('button', { name: 'Play again' });
    expect(terminal.shown).toBe('router# status ok');
    const position = screen.getByRole('slider', { name: 'Position' });
    fireEvent.change(position, { target: { value: '0.2' } });
    expect(terminal.shown).toBe('router# status');
    fireEvent.keyDown(position, { key: 'ArrowLeft' });
    expect(terminal.shown).toBe('router# ');
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(terminal.shown).toBe('router# status ok');
    expect(position.getAttribute('aria-valuetext')).toBe('0:00 of 0:00');
    fireEvent.keyDown(document.body, { key: ' ' });
    expect(button('Pause')).toBeTruthy();
    fireEvent.keyDown(document.body, { key: ' ' });
    expect(button('Play')).toBeTruthy();
  });

  test.each([
    ['unbroken', 'Unchanged: its hash is the one in the log.'],
    ['changed', 'Changed: it is not what was recorded.'],
    ['open', 'It goes on. It is sealed when it ends.'],
    ['log-deleted', 'Complete in itself, but the log entry with its hash was deleted after its retention.'],
  ] as const)('LIV-07-partial the check of a seal that is %s says so', async (seal, text) => {
    const { open, respond, user } = start();
    respond(recordings.verifyRecording, { result: { seal, sha256: 'ab'.repeat(32) } });
    await open('/recordings/play?recording=one');
    await user.click(await screen.findByRole('button', { name: 'Check the seal' }));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test.each([
    ['without output', '{"version":2}\n[0,"m","exited"]\n', [ended], 'The router showed nothing.'],
    ['that was deleted', cast, [], 'This recording does not exist any more.'],
  ])('LIV-07-partial of a recording %s the page says so', async (_, text, rows, sentence) => {
    const { open, sendList } = start(text);
    sendList(recordings.listRecordings, rows);
    await open('/recordings/play?recording=one');
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test('LIV-07-partial a recording that cannot be read now is read again by a press', async () => {
    const { open, respond, user } = start();
    respond(recordings.readRecording, () => new Failed('remote.busy'));
    await open('/recordings/play?recording=one');
    expect(await screen.findByText('No remote connection is available right now. Try again later.')).toBeTruthy();
    respond(recordings.readRecording, cast);
    await user.click(button('Retry'));
    expect(await screen.findByRole('button', { name: 'Play' })).toBeTruthy();
  });
});
