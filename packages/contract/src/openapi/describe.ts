import { z } from 'zod';
import { failure, fileFormat, tenantBody } from '../conventions.ts';
import { failures } from '../failures.ts';
import type { Operation, ScopeKind } from '../operation.ts';
import { EXCEL_TYPE } from '../reports/calls.ts';
import { createComponents, mapValues, type Named, pascal, type Root } from './components.ts';
import { requestBodyOf } from './describe-bodies.ts';
import { createParameters, acceptsIdempotencyKey, tagOf } from './describe-parameters.ts';
import { exampleOf } from './examples.ts';
import { schemaNames } from './names.ts';
import { publish } from './published.ts';
import { jsonSchemaOf, type JsonSchema } from './schema.ts';

/** A part of a call that has a schema, and the name of its component where the contract has none. */
type Part = 'body' | 'response';

/**
 * OpenAPI 3.0 of calls, generated from the schemas that validate, with an example of each (DECISIONS, Envelopes; HKS-03;
 * docs/domains/api-keys.md). Sorted by path, so that the order of registration does not matter.
 *
 * @param named schemas that the contract has names for
 */
export function describeApi(operations: readonly Operation[], version: string, named: Named = schemaNames): JsonSchema {
  const order = ({ path, method }: Operation) => `${path} ${method}`;
  const sorted = operations.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const failureRoot = { schema: publish(jsonSchemaOf(failure, 'output')), name: 'Failure' };
  const roots = new Map(sorted.map((operation) => [operation, rootsOf(operation)]));
  const components = createComponents(named, [failureRoot, ...[...roots.values()].flatMap((parts) => Object.values(parts))]);
  const parameters = createParameters(sorted);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of sorted) {
    const schemas = mapValues(roots.get(operation)!, components.refer);
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation, schemas, parameters.refer(operation));
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Highline', version, license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' } },
    servers: [{ url: '/' }],
    tags: [...new Set(sorted.map(tagOf))].toSorted().map((name) => ({ name })),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`hlk_…`), or the token of a session.' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'vap' },
      },
      headers,
      parameters: parameters.components,
      responses: { FailureResponse: failureResponse(components.refer(failureRoot)) },
      schemas: components.schemas,
    },
    paths,
  };
}

const headers = {
  IdempotentReplayed: {
    description: '`true`: this is the first answer to a request with this Idempotency-Key, repeated.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'Seconds after which the call may succeed, for 429 and 503.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
  },
} as const;
const header = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

function failureResponse(schema: JsonSchema): JsonSchema {
  const [key, { status, message }] = Object.entries(failures).find(([name]) => name === 'not_found')!;
  const example = { error: { code: status, key, message } };
  return {
    description: `A failure; its key is one of ${Object.keys(failures).length} documented keys.`,
    headers: { 'Retry-After': header('RetryAfter') },
    content: { 'application/json': { schema, example } },
  };
}

function rootsOf(operation: Operation): Partial<Record<Part, Root>> {
  const name = operation.id.split('.').map(pascal).join('');
  const { bodyKind, sends } = operation;
  const hasResponse = sends === 'json' || sends === 'events';
  return {
    ...(bodyKind === 'none'
      ? {}
      : { body: { schema: bodySchemaOf(operation), name: isFileAlone(operation) ? 'FileBody' : `${name}Body` } }),
    ...(hasResponse ? { response: { schema: publish(jsonSchemaOf(operation.response, 'output')), name: `${name}Answer` } } : {}),
  };
}

/** Uploads of a file without fields of their own have one body. */
const isFileAlone = ({ bodyKind, body }: Operation) => bodyKind === 'multipart' && body === tenantBody;

/** The body as it is sent; a file is a part of it. */
function bodySchemaOf(operation: Operation): JsonSchema {
  const schema = publish(jsonSchemaOf(operation.body, 'input'));
  if (operation.bodyKind !== 'multipart') return schema;
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  const file = { type: 'string', format: 'binary' };
  return {
    ...schema,
    properties: { ...properties, file },
    ...(operation.isFileOptional === true && required.length === 0
      ? {}
      : { required: [...required, ...(operation.isFileOptional === true ? [] : ['file'])] }),
  };
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

function describeOperation(
  operation: Operation,
  schemas: Partial<Record<Part, JsonSchema>>,
  parameters: readonly JsonSchema[],
): JsonSchema {
  const secured = operation.scope !== 'public';
  return {
    operationId: operation.id,
    summary: summaryOf(operation),
    description: `${scopeTexts[operation.scope]}${secured ? ` Roles: ${operation.roles.join(', ')}.` : ''}`,
    tags: [tagOf(operation)],
    ...(secured ? { security: [{ bearer: [] }, { cookie: [] }] } : { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(schemas.body === undefined ? {} : { requestBody: requestBodyOf(operation, schemas.body) }),
    responses: { 200: responseOf(operation, schemas.response), default: { $ref: '#/components/responses/FailureResponse' } },
  };
}

function responseOf(operation: Operation, schema: JsonSchema | undefined): JsonSchema {
  const replayed = acceptsIdempotencyKey(operation) ? { headers: { 'Idempotent-Replayed': header('IdempotentReplayed') } } : {};
  if (operation.sends === 'file') {
    const types = operation.fileTypes ?? (mayBeWorkbook(operation) ? ['text/csv', EXCEL_TYPE] : ['text/csv']);
    return {
      description: 'The file.',
      ...replayed,
      content: Object.fromEntries(types.map((type) => [type, { schema: fileSchemaOf(type) }])),
    };
  }
  const content = { schema, example: exampleOf(jsonSchemaOf(operation.response, 'output'), 'response') };
  if (operation.sends === 'events') return { description: 'Server-sent events.', content: { 'text/event-stream': content } };
  return { description: 'Success.', ...replayed, content: { 'application/json': content } };
}

/** A list that is answered as CSV, or with `format` as a workbook. */
function mayBeWorkbook({ query, body }: Operation): boolean {
  return [query, body].some((part) => part instanceof z.ZodObject && part.shape['format'] === fileFormat);
}

/** Text, or bytes for those that are not. */
const fileSchemaOf = (type: string) =>
  /^text\/|json|xml/u.test(type) && !type.includes('officedocument') ? { type: 'string' } : { type: 'string', format: 'binary' };
