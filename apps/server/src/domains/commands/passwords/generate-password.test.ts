import { expect, test } from 'vitest';
import { generatePassword } from './generate-password.ts';

test('LIV-11-partial a random password has each set of characters and none that look alike', () => {
  const made = Array.from({ length: 500 }, () => generatePassword({ length: 12, symbols: true }));
  for (const password of made) {
    expect(password).toMatch(/^[\w.+=@%-]{12}$/u);
    expect(password).not.toMatch(/[0OoIl1]/u);
    for (const set of [/[A-Z]/u, /[a-z]/u, /\d/u, /[-_.+=@%]/u]) expect(password).toMatch(set);
  }
  expect(new Set(made).size).toBe(500);
  expect(generatePassword({ length: 32, symbols: false })).toMatch(/^[A-Za-z2-9]{32}$/u);
});
