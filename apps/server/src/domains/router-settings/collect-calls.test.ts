import { expect, test } from 'vitest';
import { collectCalls } from './collect-calls.ts';

test('calls that come while one runs are made as one, the same key one after the other, and an error is that of its calls', async () => {
  const made: string[][] = [];
  let next = Promise.withResolvers<void>();
  const call = collectCalls<string, string>(
    (input) => input[0]!,
    async (inputs) => {
      made.push([...inputs]);
      await next.promise;
      if (inputs.includes('c1')) throw new Error('lost');
      return inputs.map((input) => input.toUpperCase());
    },
  );
  const all = Promise.allSettled(['a1', 'b1', 'a2', 'c1', 'a3'].map((input) => call(input)));
  const end = next;
  next = Promise.withResolvers();
  end.resolve();
  await expect.poll(() => made.length).toBe(2);
  next.resolve();
  expect((await all).map((each) => (each.status === 'fulfilled' ? each.value : 'lost'))).toEqual([
    'A1',
    'lost',
    'lost',
    'lost',
    'A3',
  ]);
  expect(made).toEqual([['a1'], ['b1', 'a2', 'c1'], ['a3']]);
  expect(await call('d')).toBe('D');
});
