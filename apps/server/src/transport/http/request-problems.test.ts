import { allOperations } from '@highline/contract/all-operations';
import { expect, test } from 'vitest';
import { problemOf } from './request-problems.ts';

const values = [undefined, null, 5, -1, 1e9, 0.5, true, '', 'x', 'x'.repeat(5_000), [], ['x'], [5], {}, { kind: 'x' }, { x: 1 }];

test('API-01-partial API-02-partial no call answers a message of the validator: each fault of each field has a sentence', () => {
  const said = new Set<string>();
  for (const { params, query, body } of allOperations)
    for (const part of [params, query, body]) {
      const names = Object.keys((part as unknown as { shape?: object }).shape ?? {});
      const inputs = [5, { unknown: 1 }, ...names.flatMap((name) => values.map((value) => ({ [name]: value })))];
      for (const input of inputs)
        for (const { message } of part.safeParse(input, { error: problemOf }).error?.issues ?? []) said.add(message);
    }
  expect([...said].filter((text) => /^(?:invalid|too |unrecogni[sz]ed)|expected |, received /iu.test(text))).toEqual([]);
  for (const text of said) expect(text).toMatch(/^(?:must|is|has|may|can|names|are) /u);
  expect([...said]).toEqual(expect.arrayContaining(['is required', 'must be text', 'must not be empty', 'must be a list']));
});
