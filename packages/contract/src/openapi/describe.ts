import { z } from 'zod';
import { failure } from '../conventions.ts';
import { failures } from '../failures.ts';
import type { Operation, ScopeKind } from '../operation.ts';
import { exampleOf } from './examples.ts';

/** JSON Schema, or a part of an OpenAPI document. */
export type JsonSchema = Record<string, unknown>;

/** Calls that may create something: sent twice they would do it twice. The others may be repeated anyway (HKS-04). */
export function acceptsIdempotencyKey({ method, scope, answer }: Operation): boolean {
  return method === 'POST' && scope !== 'public' && answer === 'json';
}

/**
 * OpenAPI 3.1 of calls, generated from the schemas that validate, with an example of each (DECISIONS, Envelopes; HKS-03). Sorted by
 * path, so that the order of registration does not matter.
 */
export function describeApi(operations: readonly Operation[], version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const order = ({ path, method }: Operation) => `${path} ${method}`;
  for (const operation of operations.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Highline', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`hlk_…`), or the token of a session.' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'vap' },
      },
      schemas: { Failure: failureSchema() },
    },
    paths,
  };
}

function failureSchema(): JsonSchema {
  const [key, { status, message }] = Object.entries(failures).find(([name]) => name === 'not_found')!;
  return { ...jsonSchemaOf(failure, 'output'), examples: [{ error: { code: status, key, message } }] };
}

const scopeTexts: Record<ScopeKind, string> = {
  public: 'No authentication required.',
  account: 'Applies to the signed-in account.',
  tenant: 'Applies to one organization, or to all organizations of a main account.',
  organization: 'Applies to one organization; a main account names it in `org`.',
  main: 'Applies to the whole main account.',
};

/** What a call does, without the rows of our own specification. */
export function summaryOf({ summary }: Operation): string {
  return summary.replaceAll(/ ?\([A-Z]{3,4}-\d\d[^()]*\)/gu, '').trim();
}

function describeOperation(operation: Operation): JsonSchema {
  const secured = operation.scope !== 'public';
  return {
    operationId: operation.id,
    summary: summaryOf(operation),
    description: `${scopeTexts[operation.scope]}${secured ? ` Roles: ${operation.roles.join(', ')}.` : ''}`,
    tags: [operation.id.split('.')[0]],
    ...(secured ? { security: [{ bearer: [] }, { cookie: [] }] } : { security: [] }),
    parameters: [
      ...parametersOf(operation.params, 'path'),
      ...parametersOf(operation.query, 'query'),
      ...idempotencyOf(operation),
    ],
    ...(operation.bodyKind === 'none' ? {} : { requestBody: { content: { [mediaType(operation)]: bodyOf(operation) } } }),
    responses: {
      200: answerOf(operation),
      default: {
        description: `A failure; its key is one of ${Object.keys(failures).length} documented keys.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

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

function mediaType(operation: Operation): string {
  if (operation.bodyKind === 'multipart') return 'multipart/form-data';
  return operation.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

function bodyOf(operation: Operation): JsonSchema {
  const schema = jsonSchemaOf(operation.body, 'input');
  const example = exampleOf(schema, 'body');
  if (operation.bodyKind !== 'multipart') return { schema, example };
  return {
    schema: { ...schema, properties: { ...(schema['properties'] as object), file: { type: 'string', format: 'binary' } } },
    example: { ...(example as object), file: '(the file)' },
  };
}

function answerOf(operation: Operation): JsonSchema {
  if (operation.answer === 'file') {
    const types = operation.fileTypes ?? ['text/csv'];
    return { description: 'The file.', content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])) };
  }
  const schema = jsonSchemaOf(operation.response, 'output');
  const content = { schema, example: exampleOf(schema, 'response') };
  if (operation.answer === 'events') return { description: 'Server-sent events.', content: { 'text/event-stream': content } };
  return { description: 'Success.', content: { 'application/json': content } };
}

function parametersOf(schema: z.ZodType, location: 'path' | 'query'): JsonSchema[] {
  const described = jsonSchemaOf(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  const examples = exampleOf(described, location) as Record<string, unknown>;
  return Object.entries(described.properties ?? {}).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || (described.required ?? []).includes(name),
    schema: property,
    example: examples[name] ?? exampleOf(property, name),
  }));
}

/** JSON Schema of the input or output of a schema, as used in the API description. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return rest;
}
