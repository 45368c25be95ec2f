// Writes the types and the table of calls of packages/client from the contract.
import type { Operation } from '@highline/contract';
import { acceptsIdempotencyKey, jsonSchemaOf, summaryOf, type JsonSchema } from '@highline/contract/openapi';

/** The text of packages/client/src/calls.generated.ts (HKS-03). */
export function writeClientCalls(operations: readonly Operation[], failureKeys: readonly string[]): string {
  const sorted = operations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return [
    '// Written by `npm run openapi` from packages/contract. Do not edit.',
    '',
    '/** Keys of failures, as in `error.key` of an answer. */',
    `export type FailureKey =\n${failureKeys.map((key) => `  | ${JSON.stringify(key)}`).join('\n')};`,
    '',
    '/** What each call takes and answers. */',
    'export interface Calls {',
    ...sorted.flatMap((operation) => [
      `  /** ${summaryOf(operation).replaceAll('*/', '* /')} \`${operation.method} ${operation.path}\` */`,
      `  ${JSON.stringify(operation.id)}: {`,
      `    kind: ${JSON.stringify(operation.sends)};`,
      `    input: ${inputType(operation)};`,
      `    answer: ${operation.sends === 'file' ? 'string' : typeOf(jsonSchemaOf(operation.response, 'output'))};`,
      '  };',
    ]),
    '}',
    '',
    "/** How a call is sent: method, path, encoding of its body, kind of its answer, and 'once' where it takes an Idempotency-Key. */",
    'export type CallRow = readonly [method: string, path: string, body: string, answer: string, once: boolean];',
    '',
    'export const callTable: Readonly<Record<keyof Calls, CallRow>> = {',
    ...sorted.map(({ id, ...operation }) => {
      const row = [
        operation.method,
        operation.path,
        operation.bodyKind,
        operation.sends,
        acceptsIdempotencyKey({ id, ...operation }),
      ];
      return `  ${JSON.stringify(id)}: ${JSON.stringify(row)},`;
    }),
    '};',
    '',
  ].join('\n');
}

/** The parts that a call takes; a part is optional when nothing in it is required. */
function inputType(operation: Operation): string {
  const parts = [
    ['params', operation.params],
    ['query', operation.query],
    ['body', operation.body],
  ] as const;
  const fields = parts.flatMap(([name, schema]) => {
    const described = jsonSchemaOf(schema, 'input');
    const isObject = described['type'] === 'object';
    if (isObject && Object.keys(described['properties'] ?? {}).length === 0) return [];
    const type = typeOf(described);
    const isOptional = isObject && ((described['required'] ?? []) as unknown[]).length === 0;
    if (type === 'unknown') return [`${name}?: unknown`];
    return [isOptional ? `${name}?: ${type} | undefined` : `${name}: ${type}`];
  });
  const file = operation.isFileOptional === true ? 'file?: Blob | undefined' : 'file: Blob';
  if (operation.bodyKind === 'multipart') fields.push(file, 'fileName?: string | undefined');
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
}

/** A JSON Schema as a TypeScript type. */
function typeOf(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema['const']);
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  if (choices !== undefined) return unionOf(choices.map(typeOf));
  const type = schema['type'];
  if (Array.isArray(type)) return unionOf(type.map((one: unknown) => typeOf({ ...schema, type: one })));
  switch (type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return arrayType(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
}

const unionOf = (types: readonly string[]) => [...new Set(types)].join(' | ');

function objectType(schema: JsonSchema): string {
  const required = new Set(schema['required'] as readonly string[] | undefined);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/u.test(name) ? name : JSON.stringify(name);
    return required.has(name) ? `${key}: ${typeOf(field)}` : `${key}?: ${typeOf(field)} | undefined`;
  });
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  const rest = schema['additionalProperties'];
  if (typeof rest !== 'object' || rest === null) return 'Record<string, unknown>';
  const names = (schema['propertyNames'] as JsonSchema | undefined)?.['enum'] as readonly string[] | undefined;
  const key = names === undefined ? 'string' : names.map((name) => JSON.stringify(name)).join(' | ');
  return names === undefined
    ? `Record<${key}, ${typeOf(rest as JsonSchema)}>`
    : `Partial<Record<${key}, ${typeOf(rest as JsonSchema)}>>`;
}

function arrayType(schema: JsonSchema): string {
  const tuple = schema['prefixItems'] as readonly JsonSchema[] | undefined;
  if (tuple !== undefined) return `[${tuple.map(typeOf).join(', ')}]`;
  return `readonly (${typeOf((schema['items'] ?? {}) as JsonSchema)})[]`;
}
