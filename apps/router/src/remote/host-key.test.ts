import ssh2 from 'ssh2';
import { expect, it, vi } from 'vitest';
import { makeKey } from './host-key.ts';

it('RMT-06-partial an unreadable generated host key is discarded for the next one', () => {
  const made = vi.spyOn(ssh2.utils, 'generateKeyPairSync').mockReturnValueOnce({ private: 'unreadable', public: '' });
  expect(ssh2.utils.parseKey(makeKey())).not.toBeInstanceOf(Error);
  // The real one may make one that is unreadable, too.
  expect(made.mock.calls.length).toBeGreaterThan(1);
  made.mockRestore();
});
