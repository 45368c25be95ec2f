import ssh from 'ssh2';
import { expect, test, vi } from 'vitest';
import { generateHostKey, hostKeyOf } from './host-key.ts';

test('a generated host key is read back with the fingerprint that ssh-keygen shows', () => {
  const key = generateHostKey();
  expect(hostKeyOf(key)).toEqual({ privateKey: key, fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/u) });
});

test('an unreadable generated key is discarded for the next one', () => {
  const made = vi.spyOn(ssh.utils, 'generateKeyPairSync').mockReturnValueOnce({ private: 'unreadable', public: '' });
  expect(generateHostKey()).toContain('OPENSSH PRIVATE KEY');
  expect(made).toHaveBeenCalledTimes(2);
  made.mockRestore();
});

test('a damaged host key is rejected', () => {
  expect(() => hostKeyOf('short')).toThrow(TypeError);
});
