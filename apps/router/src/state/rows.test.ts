import { expect, it } from 'vitest';
import { ADMINISTRATOR, PASSWORD_CHANGED } from '../model/objects/users.ts';
import { afterPasswordChange } from './rows.ts';
import { factoryState } from './state.ts';

it('RMT-06-partial each change of the password changes the reported time, also within one millisecond', () => {
  const timeOf = (state: ReturnType<typeof factoryState>) => state.rows[ADMINISTRATOR]?.[PASSWORD_CHANGED];
  const first = afterPasswordChange(factoryState({ firmware: '1.0.0', config: null }), 1_000, false);
  const second = afterPasswordChange(first, 1_000, true);
  const third = afterPasswordChange(second, 1_000, false);
  expect(timeOf(first)).toBe('1970-01-01T00:00:01.000Z');
  expect(timeOf(second)).toBe('1970-01-01T00:00:01.001Z');
  expect(timeOf(third)).not.toBe(timeOf(second));
});
