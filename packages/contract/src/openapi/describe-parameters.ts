import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { pascal } from './components.ts';
import { exampleOf } from './examples.ts';
import { publish } from './published.ts';
import { jsonSchemaOf, type JsonSchema } from './schema.ts';

/** Calls that may create something: sent twice they would do it twice. The others may be repeated anyway (HKS-04). */
export function acceptsIdempotencyKey({ method, scope, sends }: Operation): boolean {
  return method === 'POST' && scope !== 'public' && sends === 'json';
}

export const tagOf = ({ id }: Operation) => id.slice(0, id.indexOf('.'));

function idempotencyOf(operation: Operation): JsonSchema[] {
  if (!acceptsIdempotencyKey(operation)) return [];
  const description =
    'Send the same text again with the same request, and it is done once: for 24 hours the first answer is repeated, with `Idempotent-Replayed: true`. One with a secret or of more than 64 kB is not stored: the call is then a 409 `idempotency.answer_lost`. A check (`dryRun`) is made again.';
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '5f0c8d3e-4a52-4b1c-9a3e-6d1f2b7c8e90',
    },
  ];
}

function parametersOf(operation: Operation): JsonSchema[] {
  return [...inLocation(operation.params, 'path'), ...inLocation(operation.query, 'query'), ...idempotencyOf(operation)];
}

function inLocation(schema: z.ZodType, location: 'path' | 'query'): JsonSchema[] {
  const described = jsonSchemaOf(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  const examples = exampleOf(described, location) as Record<string, unknown>;
  return Object.entries(described.properties ?? {}).map(([name, property]) => {
    const { description, ...own } = publish(property);
    return {
      name,
      in: location,
      ...(description === undefined ? {} : { description }),
      required: location === 'path' || (described.required ?? []).includes(name),
      schema: own,
      example: examples[name] ?? exampleOf(property, name),
    };
  });
}

/** Parameters that several calls have are components. */
export function createParameters(operations: readonly Operation[]): {
  readonly components: JsonSchema;
  readonly refer: (operation: Operation) => JsonSchema[];
} {
  const own = new Map(operations.map((operation) => [operation, parametersOf(operation)]));
  const groups = [
    ...Map.groupBy(
      operations.flatMap((operation) => own.get(operation)!.map((parameter) => ({ operation, key: JSON.stringify(parameter) }))),
      ({ key }) => key,
    ),
  ];
  const names = new Map<string, string>();
  // The one that most calls have gets the plain name.
  for (const [key, uses] of groups.filter(([, uses]) => uses.length > 1).toSorted(([, a], [, b]) => b.length - a.length)) {
    const { name } = JSON.parse(key) as { name: string };
    const taken = new Set(names.values());
    const chosen = [pascal(name), `${pascal(tagOf(uses[0]!.operation))}${pascal(name)}`]
      .map((each) => `${each}Parameter`)
      .find((each) => !taken.has(each));
    if (chosen !== undefined) names.set(key, chosen);
  }
  return {
    components: Object.fromEntries(
      [...names].map(([key, name]) => [name, JSON.parse(key) as JsonSchema] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
    refer: (operation) =>
      own.get(operation)!.map((parameter) => {
        const name = names.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      }),
  };
}
