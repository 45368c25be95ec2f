import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that runs until it is ended. */
function createWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name: string) => ends.get(name)!(),
  };
}

test('limits the number of concurrent tasks, the others run in the order they came', async () => {
  const turns = createTurns(2, 10);
  const { started, work, end } = createWork();
  const results = ['a', 'b', 'c', 'd'].map((name) => turns.run(work(name)));
  await tick();
  expect(started).toEqual(['a', 'b']);
  end('b');
  // A task that arrives when a slot is released must not overtake those that wait.
  results.push(turns.run(work('e')));
  await tick();
  expect(started).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd', 'e']) {
    end(name);
    await tick();
  }
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a task that finds too many waiting is rejected with a retry, and takes no slot', async () => {
  const turns = createTurns(1, 1);
  const { started, work, end } = createWork();
  const first = turns.run(work('a'));
  const second = turns.run(work('b'));
  await expect(turns.run(work('c'))).rejects.toMatchObject({ key: 'server.busy', more: { retryAfter: 5 } });
  end('a');
  await first;
  await tick();
  end('b');
  await second;
  expect(started).toEqual(['a', 'b']);
  const last = turns.run(work('d'));
  await tick();
  end('d');
  expect(await last).toBe('d');
});

test('a failed task passes its slot on', async () => {
  const turns = createTurns(1, 1);
  const failing = turns.run(() => Promise.reject(new Error('no')));
  const next = turns.run(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
