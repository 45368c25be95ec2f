import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteAccess } from '@highline/contract';
import { WebSocket } from 'ws';
import { options } from './options.ts';

export const ROUNDS = options.short ? 1 : 12;

/** Characters that the shell shows in one go. */
export const OUTPUT = options.short ? 1_000_000 : 8_000_000;

/** A shell to which text is sent, and whose output is read. */
export interface Shell {
  send(text: string): void;
  /** Resolves with the next output. */
  next(): Promise<unknown>;
  /** Bytes so far. */
  readonly shown: number;
  readonly closed: Promise<unknown>;
}

export type Call = <T>(path: string, body: object, method?: 'POST' | 'PUT') => Promise<T>;

export function callsOf(url: string, bearer: string): Call {
  return async <T>(path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const response = await fetch(`${url}/data_manager/v1/dm/${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
}

export async function openTerminal(url: string, call: Call, serial: string, recorded = true): Promise<Shell> {
  const opened = await call<{ ticket: string; recorded: boolean }>('cmds/openTerminal', { serial });
  if (opened.recorded !== recorded) throw new Error('The terminal is not recorded as it was set.');
  const socket = new WebSocket(`${url.replace('http', 'ws')}${remoteAccess.TERMINAL_PATH}`, [
    remoteAccess.TERMINAL_PROTOCOL,
    opened.ticket,
  ]);
  const waiting: ((value: unknown) => void)[] = [];
  let shown = 0;
  socket.on('message', (data: Buffer) => {
    shown += data.length;
    socket.send(JSON.stringify({ shown: data.length }));
    for (const resolve of waiting.splice(0)) resolve(undefined);
  });
  const next = () => new Promise((resolve) => void waiting.push(resolve));
  const prompt = next();
  const closed = once(socket, 'close');
  await Promise.race([prompt, closed]);
  return {
    send: (text) => socket.send(Buffer.from(text)),
    next,
    get shown() {
      return shown;
    },
    closed,
  };
}

/** The machine's own ssh with a terminal, as a person has it open. */
export async function openSsh(call: Call, serial: string): Promise<Shell> {
  const input = { serial, type: 'ssh' };
  const { url: host, port } = await call<{ url: string; port: number }>('cmds/connectDevice', input);
  const { content } = await call<{ content: { username: string; password: string } }>('cmds/getOneTimeSecret', input);
  const folder = mkdtempSync(join(tmpdir(), 'highline-ssh-'));
  const askpass = join(folder, 'ask.sh');
  writeFileSync(askpass, '#!/bin/sh\nprintf "%s\\n" "$ONE_TIME_PASSWORD"\n');
  chmodSync(askpass, 0o700);
  const settings = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'].flatMap((each) => ['-o', each]);
  const args = ['-F', '/dev/null', '-tt', ...settings, '-p', String(port), `${content.username}@${host}`];
  const env = { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', ONE_TIME_PASSWORD: content.password };
  const client = spawn('ssh', args, { env });
  const next = () => once(client.stdout, 'data');
  let shown = 0;
  client.stdout.on('data', (data: Buffer) => void (shown += data.length));
  client.stdin.on('error', () => undefined);
  const closed = once(client, 'close').finally(() => rmSync(folder, { recursive: true, force: true }));
  await Promise.race([next(), closed]);
  return {
    send: (text) => client.stdin.write(text),
    next,
    get shown() {
      return shown;
    },
    closed,
  };
}
