import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh from 'ssh2';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StartRefused } from '../settings.ts';
import { openHostKey } from './host-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'highline-host-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the host key is made once, for its owner alone, and is the same one ever after', () => {
  const first = openHostKey(folder);
  expect(first.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/u);
  expect(openHostKey(folder)).toEqual(first);
  expect(statSync(join(folder, 'ssh-host-key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['ssh-host-key']);
});

test('a key that was made so that nobody can read it is not kept: the next one is', () => {
  const made = vi.spyOn(ssh.utils, 'generateKeyPairSync').mockReturnValueOnce({ private: 'unreadable', public: '' });
  expect(openHostKey(folder).privateKey).toContain('OPENSSH PRIVATE KEY');
  expect(made).toHaveBeenCalledTimes(2);
  made.mockRestore();
});

test('a damaged host key is refused, never replaced: routers would take us for somebody else', () => {
  writeFileSync(join(folder, 'ssh-host-key'), 'short');
  expect(() => openHostKey(folder)).toThrow(StartRefused);
  expect(readFileSync(join(folder, 'ssh-host-key'), 'utf8')).toBe('short');
});
