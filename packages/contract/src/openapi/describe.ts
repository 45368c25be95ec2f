import { z } from 'zod';
import { failure, fileFormat, tenantBody } from '../conventions.ts';
import { failures } from '../failures.ts';
import type { Operation, ScopeKind } from '../operation.ts';
import { EXCEL_TYPE } from '../reports/calls.ts';
import { createComponents, mapValues, pascal, type Root } from './components.ts';
import { exampleOf } from './examples.ts';
import { schemaNames } from './names.ts';
import { publish } from './published.ts';
import { jsonSchemaOf, type JsonSchema } from './schema.ts';

/** Calls that may create something: sent twice they would do it twice. The others may be repeated anyway (HKS-04). */
export function acceptsIdempotencyKey({ method, scope, sends }: Operation): boolean {
  return method === 'POST' && scope !== 'public' && sends === 'json';
}

/** A part of a call that has a schema, and the name of its component where the contract has none. */
type Part = 'body' | 'response';

/**
 * OpenAPI 3.0 of calls, generated from the schemas that validate, with an example of each (DECISIONS, Envelopes; HKS-03;
 * docs/domains/api-keys.md). Sorted by path, so that the order of registration does not matter.
 */
export function describeApi(operations: readonly Operation[], version: string): JsonSchema {
  const order = ({ path, method }: Operation) => `${path} ${method}`;
  const sorted = operations.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const failureRoot = { schema: publish(jsonSchemaOf(failure, 'output')), name: 'Failure' };
  const roots = new Map(sorted.map((operation) => [operation, rootsOf(operation)]));
  const components = createComponents(schemaNames, [
    failureRoot,
    ...[...roots.values()].flatMap((parts) => Object.values(parts)),
  ]);
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

const tagOf = ({ id }: Operation) => id.slice(0, id.indexOf('.'));

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

/** The fields of a body that a call accepts as they stand. */
export function bodyExampleOf({ body, bodyExample = {} }: Operation): Record<string, unknown> {
  const fields = { ...(exampleOf(jsonSchemaOf(body, 'input'), 'body') as object), ...bodyExample };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A call whose body may be empty can be sent without one. */
function requestBodyOf(operation: Operation, schema: JsonSchema): JsonSchema {
  const example = bodyExampleOf(operation);
  const isFileRequired = operation.bodyKind === 'multipart' && operation.isFileOptional !== true;
  return {
    required: isFileRequired || operation.isBodyRequired === true || !operation.body.safeParse({}).success,
    content: {
      [mediaType(operation)]: {
        schema,
        example: operation.bodyKind === 'multipart' ? { ...example, file: operation.fileExample ?? '(the file)' } : example,
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
function createParameters(operations: readonly Operation[]): {
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
