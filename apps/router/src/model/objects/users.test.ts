import { expect, it } from 'vitest';
import { createBareRouter } from '../../testing/view.ts';
import type { StoredParam } from '../definition.ts';
import { admitsAdministrator, userObject } from './users.ts';

it('LIV-11-partial the web page admits the administrator with the password that a controller set, and with no other', () => {
  const bare = createBareRouter().view;
  const stored = (userObject.params['Password'] as StoredParam).stores!('Kx7mPq2wTn4vRb8d', bare);
  const router = { ...bare, row: () => stored };
  expect(admitsAdministrator(router, 'admin', 'Kx7mPq2wTn4vRb8d')).toBe(true);
  expect(admitsAdministrator(router, 'admin', 'kx7mPq2wTn4vRb8d')).toBe(false);
  expect(admitsAdministrator(router, 'root', 'Kx7mPq2wTn4vRb8d')).toBe(false);
  expect(admitsAdministrator(router, 'admin', 'x'.repeat(100_000))).toBe(false);
  expect(admitsAdministrator(bare, 'admin', '')).toBe(false);
});
