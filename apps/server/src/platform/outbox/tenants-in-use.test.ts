import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTenantsInUse } from './tenants-in-use.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a main account is in use for ten minutes after a call, and as long as a part needs it; its return is reported', () => {
  const tenants = createTenantsInUse();
  const returned: string[] = [];
  tenants.onReturn((id) => returned.push(id));
  let streams = ['c'];
  tenants.include(() => streams);
  tenants.note('a');
  vi.advanceTimersByTime(540_000);
  tenants.note('a');
  tenants.note('b');
  vi.advanceTimersByTime(540_000);
  expect(tenants.list()).toEqual(['a', 'b', 'c']);
  tenants.note('a');
  vi.advanceTimersByTime(120_000);
  streams = [];
  expect(tenants.list()).toEqual(['a']);
  tenants.note('b');
  expect(tenants.list()).toEqual(['a', 'b']);
  expect(returned).toEqual(['a', 'b', 'b']);
});
