import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { guard } from './guard.ts';

function createProbe() {
  const logged: unknown[] = [];
  const state = { closed: 0 };
  return {
    logged,
    state,
    log: { error: (fields: object) => void logged.push((fields as { err: unknown }).err) },
    close: () => void state.closed++,
  };
}

test('an error in a guarded callback is logged, closes its connection, and does not reach the emitter', () => {
  const { log, logged, close, state } = createProbe();
  const emitter = new EventEmitter();
  const fault = new Error('hostile input');
  emitter.on(
    'data',
    guard(log, close, (text: string) => {
      if (text === 'bad') throw fault;
    }),
  );
  emitter.emit('data', 'good');
  expect([logged, state.closed]).toEqual([[], 0]);
  emitter.emit('data', 'bad');
  expect([logged, state.closed]).toEqual([[fault], 1]);
});

test('a promise that a guarded callback returns is covered too', async () => {
  const { log, logged, close, state } = createProbe();
  const fault = new Error('later');
  guard(log, close, async () => {
    await Promise.resolve();
    throw fault;
  })();
  await expect.poll(() => state.closed).toBe(1);
  expect(logged).toEqual([fault]);
});

test('a failing close is logged and ends nothing', () => {
  const { log, logged } = createProbe();
  const [first, second] = [new Error('first'), new Error('second')];
  const call = guard(
    log,
    () => {
      throw second;
    },
    () => {
      throw first;
    },
  );
  expect(call).not.toThrow();
  expect(logged).toEqual([first, second]);
});
