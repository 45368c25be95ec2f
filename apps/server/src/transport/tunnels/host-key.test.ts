import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh from 'ssh2';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StartupError } from '../../platform/settings/settings.ts';
import { openHostKey } from './host-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'highline-host-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the host key is generated once, readable for its owner only, and stays the same', () => {
  const first = openHostKey(folder);
  expect(first.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/u);
  expect(openHostKey(folder)).toEqual(first);
  expect(statSync(join(folder, 'ssh-host-key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['ssh-host-key']);
});

test('an unreadable generated key is discarded for the next one', () => {
  const made = vi.spyOn(ssh.utils, 'generateKeyPairSync').mockReturnValueOnce({ private: 'unreadable', public: '' });
  expect(openHostKey(folder).privateKey).toContain('OPENSSH PRIVATE KEY');
  expect(made).toHaveBeenCalledTimes(2);
  made.mockRestore();
});

test('a damaged host key is rejected, never replaced: routers would not recognize us', () => {
  writeFileSync(join(folder, 'ssh-host-key'), 'short');
  expect(() => openHostKey(folder)).toThrow(StartupError);
  expect(readFileSync(join(folder, 'ssh-host-key'), 'utf8')).toBe('short');
});
