import { expect, test } from 'vitest';
import { collectCalls } from './collect-calls.ts';

test('calls that come while one runs are made as one, the same key one after the other, and an error is that of its calls', async () => {
  const made: string[][] = [];
  let next = Promise.withResolvers<void>();
  const call = collectCalls<string, string>({
    most: 10,
    keyOf: (input) => input[0]!,
    async run(inputs) {
      made.push([...inputs]);
      await next.promise;
      if (inputs.includes('c1')) throw new Error('lost');
      return inputs.map((input) => input.toUpperCase());
    },
  });
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

/** Statements that the test answers. */
function open(most = 10) {
  const statements: { readonly keys: readonly string[]; readonly response: PromiseWithResolvers<readonly string[]> }[] = [];
  const find = collectCalls<string, string>({
    most,
    run(keys) {
      const response = Promise.withResolvers<readonly string[]>();
      statements.push({ keys, response });
      return response.promise;
    },
  });
  return { statements, find };
}

test('GRP-10-partial downloads that are requested while a statement runs share the next one', async () => {
  const { statements, find } = open();
  const first = find('a');
  const others = ['b', 'c', 'b'].map((key) => find(key));
  expect(statements.map(({ keys }) => keys)).toEqual([['a']]);
  statements[0]!.response.resolve(['router a']);
  expect(await first).toBe('router a');
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c', 'b']]);
  statements[1]!.response.resolve(['router b', 'router c', 'router b']);
  expect(await Promise.all(others)).toEqual(['router b', 'router c', 'router b']);
});

test('GRP-10-partial a statement that fails fails its own downloads, and the next ones are looked up', async () => {
  const { statements, find } = open();
  const first = find('a');
  const second = find('b');
  statements[0]!.response.reject(new Error('The database is down.'));
  await expect(first).rejects.toThrow('down');
  statements[1]!.response.resolve(['router b']);
  expect(await second).toBe('router b');
});

test('no more calls than are allowed are made as one', async () => {
  const { statements, find } = open(2);
  const all = ['a', 'b', 'c', 'd'].map((key) => find(key));
  for (let made = 0; made < 3; made += 1) {
    await expect.poll(() => statements.length).toBe(made + 1);
    statements[made]!.response.resolve(statements[made]!.keys);
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c'], ['d']]);
});
