import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

const REJECTED = /cannot be opened/u;
const masterKey = createSecretKey(randomBytes(32));
const seal = createSeal(masterKey);
const context = { organizationId: randomUUID(), configId: randomUUID(), number: 3 };

test('CFG-02-partial encrypted contents can be decrypted for the same version, also after a restart, and are unreadable before', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), (contents) => {
      const sealed = seal.seal(context, contents);
      expect(createSeal(masterKey).open(context, sealed).equals(contents)).toBe(true);
      if (contents.length >= 8) expect(sealed.includes(Buffer.from(contents))).toBe(false);
    }),
  );
});

test('CFG-02-partial the same contents are encrypted differently each time', () => {
  const contents = Buffer.from('password secret');
  expect(seal.seal(context, contents).equals(seal.seal(context, contents))).toBe(false);
});

test('CFG-02-partial contents moved to another organization, file or version, changed, cut, or under another key cannot be decrypted', () => {
  const sealed = seal.seal(context, Buffer.from('password secret'));
  for (const other of [{ organizationId: randomUUID() }, { configId: randomUUID() }, { number: 4 }])
    expect(() => seal.open({ ...context, ...other }, sealed)).toThrow(REJECTED);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = changed[at]! ^ 1;
    expect(() => seal.open(context, changed)).toThrow(REJECTED);
    expect(() => seal.open(context, sealed.subarray(0, at))).toThrow(REJECTED);
  }
  expect(() => createSeal(createSecretKey(randomBytes(32))).open(context, sealed)).toThrow(REJECTED);
});
