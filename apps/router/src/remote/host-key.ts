import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Log } from '../log.ts';
import { readIfExists, writeDurably } from '../platform/files.ts';
import { sshLibrary } from './ssh-library.ts';

/**
 * The router's SSH host key (Ed25519, OpenSSH's own format), generated at first use and then kept.
 * @param file where it is stored, readable for its owner only; without one it is lost with the process
 */
export function createHostKey(file: string | undefined, log: Log): () => string {
  let key: string | undefined;
  return () => (key ??= file === undefined ? makeKey() : (readKey(file, log) ?? writeKey(file, makeKey())));
}

/**
 * A new key. About one in 256 keys of ssh2 1.17 is unreadable (its public half begins with a zero byte, which is cut off):
 * generate another one then.
 */
export function makeKey(): string {
  const { generateKeyPairSync, parseKey } = sshLibrary().utils;
  for (;;) {
    const key = generateKeyPairSync('ed25519').private;
    if (!(parseKey(key) instanceof Error)) return key;
  }
}

function readKey(file: string, log: Log): string | undefined {
  const text = readIfExists(file);
  if (text === undefined || !(sshLibrary().utils.parseKey(text) instanceof Error)) return text;
  // A new key makes ssh warn users who know the old one, which is right: the router cannot prove that it is the same.
  log('warn', 'host-key.unreadable', { file, action: 'generating a new one' });
  return undefined;
}

function writeKey(file: string, key: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeDurably(file, key);
  return key;
}
