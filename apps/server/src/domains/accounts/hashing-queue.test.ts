import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHashingQueue } from './hashing-queue.ts';

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
  const queue = createHashingQueue(2, 10);
  const { started, work, end } = createWork();
  const results = ['a', 'b', 'c', 'd'].map((name) => queue.run(work(name)));
  await tick();
  expect(started).toEqual(['a', 'b']);
  end('b');
  // A task that arrives when a slot is released must not overtake those that wait.
  results.push(queue.run(work('e')));
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
  const queue = createHashingQueue(1, 1);
  const { started, work, end } = createWork();
  const first = queue.run(work('a'));
  const second = queue.run(work('b'));
  await expect(queue.run(work('c'))).rejects.toMatchObject({ key: 'server.busy', more: { retryAfter: 5 } });
  end('a');
  await first;
  await tick();
  end('b');
  await second;
  expect(started).toEqual(['a', 'b']);
  const last = queue.run(work('d'));
  await tick();
  end('d');
  expect(await last).toBe('d');
});

test('a failed task passes its slot on', async () => {
  const queue = createHashingQueue(1, 1);
  const failing = queue.run(() => Promise.reject(new Error('no')));
  const next = queue.run(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
