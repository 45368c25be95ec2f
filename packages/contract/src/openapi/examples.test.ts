import { expect, test } from 'vitest';
import { allOperations } from '../all-operations.ts';
import { bodyExampleOf } from './describe-bodies.ts';
import { jsonSchemaOf } from './schema.ts';
import { exampleOf } from './examples.ts';

test('HKS-03-partial every call has an example of its path, query, body and answer that its own schema accepts', () => {
  const faults = allOperations.flatMap((operation) => {
    const parts = [
      ['params', operation.params, 'input'],
      ['query', operation.query, 'input'],
      ...(operation.bodyKind === 'none' ? [] : [['body', operation.body, 'input'] as const]),
      ...(operation.sends === 'json' || operation.sends === 'events'
        ? [['response', operation.response, 'output'] as const]
        : []),
    ] as const;
    return parts.flatMap(([part, schema, io]) => {
      const example = part === 'body' ? bodyExampleOf(operation) : exampleOf(jsonSchemaOf(schema, io), part);
      const { success, error } = schema.safeParse(example);
      return success
        ? []
        : [`${operation.id} ${part}: ${error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`];
    });
  });
  expect(faults).toEqual([]);
});
