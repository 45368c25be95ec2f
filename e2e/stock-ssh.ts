import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSsh } from '../scripts/machine.mjs';

/** The values shown in the dialog. */
export interface SshCredentials {
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
}

/** A stock ssh client with a terminal, as a person has it open. */
export interface SshVisit {
  /** All that came back so far. */
  output(): string;
  type(text: string): void;
  /** The client's exit status once it is over. */
  readonly ended: Promise<number | null>;
  close(): void;
}

const OPTIONS = [
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'PreferredAuthentications=password,keyboard-interactive',
  'NumberOfPasswordPrompts=1',
  'LogLevel=ERROR',
].flatMap((option) => ['-o', option]);

/** Sign in with the machine's own `ssh`; a helper program supplies the password, because there is no terminal. */
export async function visitBySsh(credentials: SshCredentials): Promise<SshVisit> {
  const { host, port, username, password } = credentials;
  const folder = await mkdtemp(join(tmpdir(), 'highline-ssh-'));
  const askpass = join(folder, 'ask.sh');
  await writeFile(askpass, '#!/bin/sh\nprintf "%s\\n" "$ONE_TIME_PASSWORD"\n', { mode: 0o700 });
  const args = ['-F', '/dev/null', '-tt', ...OPTIONS, '-p', port, `${username}@${host}`];
  const env = { ...process.env, LC_ALL: 'C', SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', ONE_TIME_PASSWORD: password };
  const client: ChildProcessWithoutNullStreams = spawn(findSsh() ?? 'ssh', args, { env });
  let output = '';
  for (const stream of [client.stdout, client.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Input for a closed connection is dropped.
  client.stdin.on('error', () => undefined);
  const closed = new Promise<number | null>((resolve) => {
    client.once('close', resolve);
  });
  const end = async () => {
    const status = await closed;
    await rm(folder, { recursive: true, force: true });
    return status;
  };
  const ended = end();
  return { output: () => output, type: (text) => client.stdin.write(text), ended, close: () => client.kill() };
}
