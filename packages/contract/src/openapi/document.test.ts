import { expect, test } from 'vitest';
import { allOperations } from '../all-operations.ts';
import { describeApi } from './describe.ts';
import { schemaNames } from './names.ts';
import { spelling } from './published.ts';
import { withoutReferences } from './references.ts';
import type { JsonSchema } from './schema.ts';

// What generators of clients and validators reject, or turn into code that does not compile, stated as rules for the description:
// openapi-generator (TypeScript, Python, Go, Java), openapi-python-client, oapi-codegen, openapi-typescript, Prism, Spectral.

type Components = Readonly<Record<'schemas' | 'parameters' | 'responses' | 'headers', Readonly<Record<string, JsonSchema>>>>;
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
}
const document = describeApi(allOperations, '1.0.0');
const components = document['components'] as Components;
const operations = Object.values(document['paths'] as Record<string, Record<string, Described>>).flatMap((path) =>
  Object.values(path),
);
const resolved = operations.map((operation) => withoutReferences(operation, document) as Described);

interface Placed {
  readonly at: string;
  readonly schema: JsonSchema;
}

/** Every schema of the description, and where it stands. */
const schemas: readonly Placed[] = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => schemasIn(schema, name)),
  ...Object.entries(components.parameters).flatMap(([name, { schema }]) => schemasIn(schema as JsonSchema, name)),
  ...Object.entries(components.headers).flatMap(([name, { schema }]) => schemasIn(schema as JsonSchema, name)),
  ...[...Object.entries(components.responses), ...operations.map((each) => [each.operationId, each] as const)].flatMap(
    ([name, part]) => mediaIn(part, name),
  ),
];

function schemasIn(schema: JsonSchema, at: string): Placed[] {
  const { properties = {}, items, additionalProperties, anyOf, oneOf } = schema as Record<string, JsonSchema>;
  const below = [
    ...Object.entries(properties as Record<string, JsonSchema>),
    ...[items, additionalProperties].map((part) => ['[]', part] as const),
    ...[anyOf, oneOf].flatMap((part) => ((part ?? []) as unknown as JsonSchema[]).map((choice) => ['|', choice] as const)),
  ];
  const parts = below.filter((entry): entry is [string, JsonSchema] => typeof entry[1] === 'object');
  return [{ at, schema }, ...parts.flatMap(([name, part]) => schemasIn(part, `${at} ${name}`))];
}

function mediaIn(part: unknown, at: string): Placed[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'example') return [];
    return name === 'schema' ? schemasIn(value as JsonSchema, at) : mediaIn(value, `${at} ${name}`);
  });
}

const where = (fits: (schema: JsonSchema, at: string) => boolean) =>
  schemas.filter(({ at, schema }) => fits(schema, at)).map(({ at }) => at);

const KEYWORDS = new Set(
  'additionalProperties anyOf default description discriminator enum format items maxItems maxLength maximum minItems minLength minimum nullable oneOf pattern properties required type x-also-named $ref'.split(
    ' ',
  ),
);

test('HKS-03-partial the description has only what OpenAPI 3.0 has: one type each, no tuples, no constants, nothing besides a reference', () => {
  expect(where((schema) => Object.keys(schema).some((name) => !KEYWORDS.has(name)))).toEqual([]);
  expect(where(({ type }) => type !== undefined && typeof type !== 'string')).toEqual([]);
  expect(where((schema) => '$ref' in schema && Object.keys(schema).length > 1)).toEqual([]);
  // Validators look at `nullable` only where there is a type, and at the values of an enumeration besides.
  expect(where(({ nullable, type }) => nullable === true && type === undefined)).toEqual([]);
  expect(where(({ nullable, enum: values }) => nullable === true && Array.isArray(values) && !values.includes(null))).toEqual([]);
});

test('HKS-03-partial numbers keep their precision in languages that have several kinds of them', () => {
  const formats: Readonly<Record<string, string>> = { number: 'double', integer: 'int64' };
  expect(
    where(
      ({ type, format, enum: values }) =>
        values === undefined && formats[String(type)] !== undefined && format !== formats[String(type)],
    ),
  ).toEqual([]);
});

test('HKS-03-partial patterns are read alike by engines with and without Unicode, and have no lookaround', () => {
  for (const { at, schema } of schemas) {
    const { pattern } = schema;
    if (typeof pattern !== 'string') continue;
    expect([at, pattern]).toEqual([at, expect.not.stringMatching(/\\[pPuk]|\(\?[=!<]|[^\x20-\x7e]/u)]);
    for (const flags of ['', 'u']) expect(new RegExp(pattern, flags).test('\n')).toBe(new RegExp(pattern, 'u').test('\n'));
  }
});

test('HKS-03-partial no two fields of an object, parameters of a call or components have names that languages write alike', () => {
  const twins = (names: readonly string[]) =>
    names.filter((name, index) => names.findIndex((each) => spelling(each) === spelling(name)) !== index);
  expect(where(({ properties = {} }) => twins(Object.keys(properties as object)).length > 0)).toEqual([]);
  for (const { operationId, parameters = [] } of resolved)
    expect([operationId, twins(parameters.map(({ name }) => name))]).toEqual([operationId, []]);
  expect(twins(Object.values(components).flatMap((part) => (part === undefined ? [] : Object.keys(part))))).toEqual([]);
});

test('HKS-03-partial every object is a component with a name of its own, that the contract gives to those of several places', () => {
  const isTop = (at: string) => !at.includes(' ') && at in components.schemas;
  expect(where((schema, at) => 'properties' in schema && !isTop(at))).toEqual([]);
  expect(where((schema) => schema['type'] === 'array' && schema['items'] === undefined)).toEqual([]);
  const uses = Map.groupBy(
    schemas.filter(({ schema }) => '$ref' in schema),
    ({ schema }) => String(schema['$ref']).split('/').at(-1)!,
  );
  const variants = new Set(
    schemas
      .flatMap(({ schema }) => [schema['oneOf'] ?? []].flat())
      .map((each) =>
        String((each as JsonSchema)['$ref'])
          .split('/')
          .at(-1)!,
      ),
  );
  const isNamed = (name: string) =>
    name.replace(/(?:Input|OrNull)$/u, '') in schemaNames ||
    name.replace(/(?:Answer|List|Page)$/u, '') in schemaNames ||
    variants.has(name) ||
    name === 'FileBody';
  const unnamed = [...uses].filter(([name, places]) => places.length > 1 && !isNamed(name));
  expect(unnamed.map(([name, places]) => [name, places.map(({ at }) => at)])).toEqual([]);
  expect(Object.keys(components.schemas).filter((name) => !uses.has(name))).toEqual([]);
  const names = new Set(Object.keys(components.schemas).map((name) => name.replace(/(?:Input|OrNull)$/u, '')));
  expect(Object.keys(schemaNames).filter((name) => !names.has(name))).toEqual([]);
});

/** Names of types that the languages of clients have themselves. */
const TAKEN =
  /^(?:Any|Array|Blob|Boolean|Buffer|Class|Date|Dict|Error|Event|File|Float|Function|Integer|Iterator|List|Map|Model|Module|None|Null|Number|Object|Optional|Promise|Record|Request|Response|Set|String|Symbol|Type|Union)$/u;

test('HKS-03-partial names of components are those of types in every language', () => {
  for (const part of [components.schemas, components.parameters, components.responses])
    for (const name of Object.keys(part)) {
      expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/u);
      expect(name).not.toMatch(TAKEN);
    }
});

test('HKS-03-partial a list of fixed length says what its items are', () => {
  const isTuple = ({ minItems, maxItems }: JsonSchema) => minItems !== undefined && minItems === maxItems && Number(minItems) > 1;
  expect(where(isTuple).length).toBeGreaterThan(5);
  expect(where((schema) => isTuple(schema) && typeof schema['description'] !== 'string')).toEqual([]);
});

/** Bytes of the request line that Node and common proxies take together with the headers of a browser. */
const LONGEST_ADDRESS = 13_000;

test('HKS-03-partial the longest values of all parameters of a call can be sent together', () => {
  for (const { operationId, parameters = [] } of resolved) {
    const longest = parameters
      .filter((each) => each.in === 'query')
      .map(({ name, schema }) => name.length + 2 + Number(schema['maxLength'] ?? 60));
    const sum = longest.reduce((total, length) => total + length, 0);
    expect([operationId, sum <= LONGEST_ADDRESS ? true : sum]).toEqual([operationId, true]);
  }
});

test('HKS-03-partial the description is small enough to load in a moment', () => {
  expect(JSON.stringify(document).length).toBeLessThan(800_000);
});
