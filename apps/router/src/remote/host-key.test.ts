import ssh2 from 'ssh2';
import { expect, it, vi } from 'vitest';
import { makeKey } from './host-key.ts';

it('RMT-06-partial a host key that was made so that nobody can read it is not taken: the next one is', () => {
  const made = vi.spyOn(ssh2.utils, 'generateKeyPairSync').mockReturnValueOnce({ private: 'unreadable', public: '' });
  expect(ssh2.utils.parseKey(makeKey())).not.toBeInstanceOf(Error);
  expect(made).toHaveBeenCalledTimes(2);
  made.mockRestore();
});
