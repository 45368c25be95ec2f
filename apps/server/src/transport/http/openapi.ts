import { hash } from 'node:crypto';
import { failure, failures, type ScopeKind } from '@highline/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AnyOperation } from '../../platform/calls/call.ts';
import { acceptsIdempotencyKey } from './idempotency-key.ts';

type JsonSchema = Record<string, unknown>;

/** OpenAPI 3.1 of every registered call, generated from the schemas that validate (DECISIONS, Envelopes). */
export function describeApi(operations: readonly AnyOperation[], version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Highline', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, cookie: { type: 'apiKey', in: 'cookie', name: 'vap' } },
      schemas: { Failure: jsonSchemaOf(failure, 'output') },
    },
    paths,
  };
}

/**
 * Serve the description at /openapi.json. It is generated once, at the first request: that takes some hundred milliseconds of
 * CPU.
 */
export function serveDescription(app: FastifyInstance, describe: () => JsonSchema): void {
  let made: { readonly text: string; readonly tag: string } | undefined;
  app.get('/openapi.json', async (request, reply) => {
    if (made === undefined) {
      const text = JSON.stringify(describe());
      made = { text, tag: `"${hash('sha256', text).slice(0, 32)}"` };
    }
    // Caches may keep it but must revalidate: it changes with the server's version.
    reply.header('etag', made.tag).header('cache-control', 'public, no-cache');
    if (request.headers['if-none-match'] === made.tag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(made.text);
  });
}

const scopeTexts: Record<ScopeKind, string> = {
  public: 'No authentication required.',
  account: 'Applies to the signed-in account.',
  tenant: 'Applies to one organization, or to all organizations of a main account.',
  organization: 'Applies to one organization; a main account names it in `org`.',
  main: 'Applies to the whole main account.',
};

function describeOperation(operation: AnyOperation): JsonSchema {
  const secured = operation.scope !== 'public';
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: `${scopeTexts[operation.scope as ScopeKind]}${secured ? ` Roles: ${operation.roles.join(', ')}.` : ''}`,
    tags: [operation.id.split('.')[0]],
    ...(secured ? { security: [{ bearer: [] }, { cookie: [] }] } : { security: [] }),
    parameters: [
      ...parametersOf(operation.params, 'path'),
      ...parametersOf(operation.query, 'query'),
      ...idempotencyOf(operation),
    ],
    ...(operation.bodyKind === 'none'
      ? {}
      : { requestBody: { content: { [mediaType(operation)]: { schema: bodySchema(operation) } } } }),
    responses: {
      200: answerOf(operation),
      default: {
        description: failureTexts(),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

function idempotencyOf(operation: AnyOperation): JsonSchema[] {
  if (!acceptsIdempotencyKey(operation)) return [];
  const description =
    'Send the same text again with the same request, and it is done once: for 24 hours the first answer is repeated, with `Idempotent-Replayed: true`.';
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}

function failureTexts(): string {
  return `A failure; its key is one of ${Object.keys(failures).length} documented keys.`;
}

function mediaType(operation: AnyOperation): string {
  if (operation.bodyKind === 'multipart') return 'multipart/form-data';
  return operation.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

function bodySchema(operation: AnyOperation): JsonSchema {
  const schema = jsonSchemaOf(operation.body, 'input');
  if (operation.bodyKind !== 'multipart') return schema;
  return { ...schema, properties: { ...(schema['properties'] as object), file: { type: 'string', format: 'binary' } } };
}

function answerOf(operation: AnyOperation): JsonSchema {
  if (operation.answer === 'file') {
    const types = operation.fileTypes ?? ['text/csv'];
    return { description: 'The file.', content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])) };
  }
  if (operation.answer === 'events')
    return {
      description: 'Server-sent events.',
      content: { 'text/event-stream': { schema: jsonSchemaOf(operation.response, 'output') } },
    };
  return { description: 'Success.', content: { 'application/json': { schema: jsonSchemaOf(operation.response, 'output') } } };
}

function parametersOf(schema: AnyOperation['params'], location: 'path' | 'query'): JsonSchema[] {
  const { properties, required } = jsonSchemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || (required ?? []).includes(name),
    schema: property,
  }));
}

/** JSON Schema of the input or output of a schema, as used in the API description. */
export function jsonSchemaOf(schema: AnyOperation['params'], io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any' }) as JsonSchema;
  return rest;
}
