import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestHost, createTestHost } from '../../testing/remote-host.ts';
import { createCommandLine } from './command-line.ts';
import type { RunningShell, TerminalSize } from './shell.ts';

let host: TestHost;
let output: PassThrough;
let shell: RunningShell;
let status: Promise<number>;
let all: string;

beforeEach(() => {
  host = createTestHost();
});
afterEach(() => shell.hangUp());

function open(command?: string, terminal?: TerminalSize): void {
  output = new PassThrough({ encoding: 'utf8' });
  all = '';
  output.on('data', (text: string) => (all += text));
  status = new Promise((exit) => {
    shell = createCommandLine(host).open({ command, terminal, output, errors: new PassThrough(), ready: () => {}, exit });
  });
}

const type = (keys: string) => shell.input(Buffer.from(keys));

/** Resolves when this text was written. */
async function shows(text: string): Promise<void> {
  while (!all.includes(text)) await new Promise((resolve) => output.once('data', resolve));
}

async function run(command: string): Promise<{ text: string; status: number }> {
  open(command);
  return { status: await status, text: all };
}

describe('one command', () => {
  it.each([
    ['uptime', 0, 'up 17 s\n'],
    ['  upt  ', 0, 'up 17 s\n'],
    ['', 0, ''],
    ['show', 2, 'Usage: show config|firmware|interfaces|log|sim\n'],
    ['show everything', 2, 'Usage: show config|firmware|interfaces|log|sim\n'],
    ['show firm', 0, 'Slot 1  2.1.0 (running)\nSlot 2  empty\n'],
    ['show s', 0, 'EID'],
    ['show interfaces', 0, 'eth0   up, 00:B2:D0:00:00:01\n'],
    ['show config', 0, 'Config file  city.json\n'],
    ['status', 0, 'Vehicle         Bus 12\nModel           HL-500\nSerial number   HL-0001\n'],
    ['?', 0, 'show config|firmware|interfaces|log|sim  one part of the router\n'],
    ['ping', 2, 'Usage: ping <host> [1-20]\n'],
    ['ping -f 1', 2, 'Usage: ping <host> [1-20]\n'],
    ['ping x 0', 2, 'Usage: ping <host> [1-20]\n'],
    ['ping host.example 1', 0, '1 sent, 1 received.\n'],
    ['/bin/sh -c id', 127, "/bin/sh: no such command. Type 'help' for the list.\n"],
    ['uptime; reboot now', 127, 'uptime;: no such command.'],
    ['\u001B[2Jx', 127, " [2Jx: no such command. Type 'help' for the list.\n"],
    ['constructor', 127, 'constructor: no such command.'],
  ])('%s', async (command, code, text) => {
    const ended = await run(command);
    expect(ended.status).toBe(code);
    expect(ended.text).toContain(text);
    expect(host.restarts).toBe(0);
  });

  it('events are in the log, without control characters', async () => {
    host.activityLog.add('test', 'one\u001B[31m\r\ntwo');
    expect((await run('show log')).text).toBe('2026-01-01T00:00:00Z  test: one [31m  two\n');
  });

  it('without a terminal there is no confirmation, so a restart must be explicit', async () => {
    expect(await run('reboot')).toEqual({ status: 1, text: "No confirmation possible: 'reboot now' restarts at once.\n" });
    expect(await run('reboot now')).toEqual({ status: 0, text: 'Restarting.\n' });
    expect(host.restarts).toBe(1);
  });
});

describe('a session at a terminal', () => {
  beforeEach(() => open(undefined, { columns: 80, rows: 24 }));

  it('greets, prompts, keeps a history and exits', async () => {
    await shows('Highline HL-500, serial number HL-0001, firmware 2.1.0.\r\n');
    type('nope\rup\t\r');
    await shows('up 17 s\r\n');
    type('exit\r');
    expect(await status).toBe(0);
  });

  it('asks for confirmation before a restart', async () => {
    type('reboot\rn\r');
    type('reboot\r\u0003');
    type('reboot\ry\r');
    await shows('Restarting.\r\n');
    expect(all.split('Restart the router?').length).toBeGreaterThan(2);
    expect(host.restarts).toBe(1);
  });

  it('Ctrl-C interrupts the running command, as does its message, and the prompt returns', async () => {
    type('ping host.example 20\r');
    await shows('seq=1 ');
    host.scheduler.advance(1_000);
    await shows('seq=2 ');
    type('\u0003uptime\r');
    await shows('up 17 s');
    host.scheduler.advance(60_000);
    type('ping other.example\r');
    await shows('other.example: seq=1 ');
    shell.interrupt();
    type('exit\r');
    expect(await status).toBe(130);
    expect(all).not.toContain('seq=3');
  });

  it('Ctrl-D exits', async () => {
    type('\u0004');
    expect(await status).toBe(0);
  });

  it('completes commands and their arguments', async () => {
    type('sh\tfi\t\r');
    await shows('Slot 1  2.1.0 (running)\r\n');
    type('s\t');
    await shows('show  status');
    expect(all).not.toContain('no such command');
  });
});

describe('a calling program', () => {
  it('gets no prompt and no echo; its lines are executed one after another, including an unterminated last one', async () => {
    open();
    type('uptime\nping host.exa');
    type('mple 1\n\nshow firmware\nnope');
    shell.inputEnded();
    expect(await status).toBe(127);
    expect(all).toMatch(
      /^up 17 s\nReply from host\.example: seq=1 time=[\d.]+ ms\n1 sent, 1 received\.\nSlot 1 {2}2\.1\.0 \(running\)\nSlot 2 {2}empty\nnope: no such command/u,
    );
  });

  it('exits on request, and does not execute what follows', async () => {
    open();
    type('exit\nreboot now\n');
    expect(await status).toBe(0);
    expect(host.restarts).toBe(0);
  });

  it('that sends without end is cut off', async () => {
    open();
    for (let sent = 0; sent < 100; sent++) type('x'.repeat(10_000));
    shell.inputEnded();
    expect(await status).toBe(127);
    expect(all.length).toBeLessThan(1_000);
  });
});
