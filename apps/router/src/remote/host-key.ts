import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Log } from '../log.ts';
import { sshLibrary } from './ssh-library.ts';

/**
 * The router's SSH host key (Ed25519, OpenSSH's own format), made when it is first needed and then always the same.
 * @param file where it stays, for its owner's eyes only; without one it ends with the process
 */
export function createHostKey(file: string | undefined, log: Log): () => string {
  let key: string | undefined;
  return () => (key ??= file === undefined ? makeKey() : (readKey(file, log) ?? writeKey(file, makeKey())));
}

/** A new key. About one in 256 that ssh2 1.17 makes cannot be read (its public half begins with a zero byte, which is cut off): the next one is taken. */
export function makeKey(): string {
  const { generateKeyPairSync, parseKey } = sshLibrary().utils;
  for (;;) {
    const key = generateKeyPairSync('ed25519').private;
    if (!(parseKey(key) instanceof Error)) return key;
  }
}

function readKey(file: string, log: Log): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!(sshLibrary().utils.parseKey(text) instanceof Error)) return text;
  // A new key makes ssh warn who knew the old one, which is right: it cannot be shown to be the same router.
  log('warn', 'host-key.unreadable', { file, action: 'making a new one' });
  return undefined;
}

function writeKey(file: string, key: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(handle, key);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.new`, file);
  return key;
}
