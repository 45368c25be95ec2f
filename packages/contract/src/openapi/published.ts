import type { JsonSchema } from './schema.ts';

/**
 * A JSON Schema of the contract as a schema of OpenAPI 3.0 that generators and validators of every language read
 * (docs/domains/api-keys.md): one type each, `nullable`, tuples as lists, patterns without Unicode classes, no second spelling of a field.
 */
export function publish(schema: JsonSchema): JsonSchema {
  const { choices, keyword, isNullable, rest } = splitNull(schema);
  if (choices === undefined) return publishOne(rest, isNullable);
  if (choices.length === 1) return { ...described(rest), ...publish(isNullable ? withNull(choices[0]!) : choices[0]!) };
  const published = distinct(choices.map((choice) => publish(choice)));
  const [first, ...others] = published as [JsonSchema, ...JsonSchema[]];
  if (others.length === 0) return { ...described(rest), ...first, ...(isNullable ? { nullable: true } : {}) };
  return { ...described(rest), [keyword]: [isNullable ? { ...first, nullable: true } : first, ...others] };
}

interface Split {
  readonly choices: readonly JsonSchema[] | undefined;
  readonly keyword: 'anyOf' | 'oneOf';
  readonly isNullable: boolean;
  readonly rest: JsonSchema;
}

/** The alternatives of a schema without `null`: those of anyOf or oneOf, or one for each of several types. */
function splitNull(schema: JsonSchema): Split {
  const { anyOf, oneOf, ...rest } = schema;
  const keyword = anyOf === undefined ? 'oneOf' : 'anyOf';
  const listed = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (listed !== undefined) {
    const choices = listed.flatMap((choice) => {
      const inner = splitNull(choice);
      const own = inner.choices ?? [inner.rest];
      return inner.isNullable ? own.map((each) => withNull(each)) : own;
    });
    const kept = choices.filter(({ type }) => type !== 'null');
    return { choices: kept, keyword, isNullable: kept.length < choices.length, rest };
  }
  const types = [schema['type'] ?? []].flat() as string[];
  const named = types.filter((type) => type !== 'null');
  const isNullable = named.length < types.length && named.length > 0;
  if (named.length > 1) return { choices: named.map((type) => ({ ...rest, type })), keyword: 'anyOf', isNullable, rest: {} };
  return { choices: undefined, keyword, isNullable, rest: isNullable ? { ...rest, type: named[0] } : rest };
}

const withNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [[schema['type'] ?? []].flat(), 'null'].flat() });
const described = ({ description }: JsonSchema): JsonSchema => (description === undefined ? {} : { description });

function publishOne(schema: JsonSchema, isNullable: boolean): JsonSchema {
  const nullable = isNullable ? { nullable: true } : {};
  if ('const' in schema) return { ...described(schema), type: typeof schema['const'], enum: [schema['const']], ...nullable };
  if ('enum' in schema) {
    const values = schema['enum'] as readonly unknown[];
    return { ...described(schema), type: typeof values[0], enum: isNullable ? [...values, null] : values, ...nullable };
  }
  switch (schema['type']) {
    case 'object':
      return { ...objectOf(schema), ...nullable };
    case 'array':
      return { ...arrayOf(schema), ...nullable };
    case 'number':
      return { ...described(schema), type: 'number', format: 'double', ...limitsOf(schema), ...nullable };
    case 'integer':
      return { ...described(schema), type: 'integer', format: 'int64', ...limitsOf(schema), ...nullable };
    case 'string':
      return { ...textOf(schema), ...nullable };
    case 'boolean':
      return { ...described(schema), type: 'boolean', ...pick(schema, ['default']), ...nullable };
    default:
      return described(schema);
  }
}

function pick(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.filter((name) => name in schema).map((name) => [name, schema[name]]));
}

/** The largest safe integer is a limit of JavaScript's numbers, not of the field. */
function limitsOf(schema: JsonSchema): JsonSchema {
  const limits = pick(schema, ['minimum', 'maximum', 'default']);
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER));
}

/** Formats that say it all: their pattern is left out. */
const FORMATS = new Set(['date-time', 'uuid']);

function textOf(schema: JsonSchema): JsonSchema {
  const format = pick(schema, ['format']);
  const { pattern } = schema;
  return {
    ...described(schema),
    type: 'string',
    ...format,
    ...pick(schema, ['minLength', 'maxLength', 'default']),
    ...(typeof pattern !== 'string' || FORMATS.has(String(format['format'])) ? {} : { pattern: portable(pattern) }),
  };
}

/** The pattern for engines without lookahead, Unicode classes and \u escapes: it accepts more, and the server stays strict. */
function portable(pattern: string): string {
  const control = String.raw`\x00-\x1f\x7f`;
  return pattern
    .replaceAll(/\(\?[=!][^()]*\)/gu, '')
    .replaceAll(String.raw`\P{Cc}`, `[^${control}]`)
    .replaceAll(/\\p\{Cc?\}/gu, control)
    .replaceAll(/\\u00([0-9a-fA-F]{2})/gu, String.raw`\x$1`);
}

function arrayOf(schema: JsonSchema): JsonSchema {
  const tuple = schema['prefixItems'] as readonly JsonSchema[] | undefined;
  const own = { ...described(schema), type: 'array' };
  if (tuple === undefined)
    return {
      ...own,
      items: publish((schema['items'] ?? {}) as JsonSchema),
      ...pick(schema, ['minItems', 'maxItems', 'default']),
    };
  return { ...own, items: anyOfTuple(tuple), minItems: tuple.length, maxItems: tuple.length };
}

/** What each item of a tuple may be, by type alone: its description says which is which. */
function anyOfTuple(tuple: readonly JsonSchema[]): JsonSchema {
  const types = new Map<string, JsonSchema>();
  let isNullable = false;
  for (const item of tuple.map((each) => publish(each))) {
    const type = item['type'] === 'integer' ? 'number' : String(item['type']);
    isNullable ||= item['nullable'] === true;
    types.set(type, type === 'number' ? { type, format: 'double' } : { type });
  }
  const [first, ...others] = [...types.values()] as [JsonSchema, ...JsonSchema[]];
  const nullableFirst = isNullable ? { ...first, nullable: true } : first;
  return others.length === 0 ? nullableFirst : { anyOf: [nullableFirst, ...others] };
}

function objectOf(schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const names = ((schema['propertyNames'] as JsonSchema | undefined)?.['enum'] ?? []) as readonly string[];
  const rest = schema['additionalProperties'];
  // A map with known names is an object whose fields have one type.
  if (properties.length === 0 && names.length > 0)
    return objectOf({
      ...schema,
      propertyNames: undefined,
      additionalProperties: undefined,
      properties: Object.fromEntries(names.map((name) => [name, rest])),
    });
  const isMap = typeof rest === 'object' && rest !== null;
  const { kept, spellings } = withoutTwins(properties.map(([name]) => name));
  const required = ((schema['required'] ?? []) as readonly string[]).filter((name) => kept.has(name));
  const fields = properties
    .filter(([name]) => kept.has(name))
    .map(([name, field]) => [name, alsoNamed(publish(field), spellings.get(name) ?? [])] as const);
  return {
    ...described(schema),
    type: 'object',
    ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
    ...(required.length === 0 ? {} : { required }),
    ...(isMap ? { additionalProperties: Object.keys(rest).length === 0 ? true : publish(rest as JsonSchema) } : {}),
    ...(rest === false ? { additionalProperties: false } : {}),
  };
}

/** Names that languages write alike: without case and underscores. */
export const spelling = (name: string): string => name.toLowerCase().replaceAll('_', '');

/** Of fields that languages write alike the one with underscores is kept; the response still has all of them. */
function withoutTwins(names: readonly string[]): { kept: ReadonlySet<string>; spellings: ReadonlyMap<string, string[]> } {
  const groups = Map.groupBy(names, spelling);
  const spellings = new Map<string, string[]>();
  for (const group of groups.values()) {
    const main = group.find((name) => name.includes('_')) ?? group[0]!;
    spellings.set(
      main,
      group.filter((name) => name !== main),
    );
  }
  return { kept: new Set(spellings.keys()), spellings };
}

function alsoNamed(field: JsonSchema, others: readonly string[]): JsonSchema {
  if (others.length === 0) return field;
  return { description: `Also sent as \`${others.join('`, `')}\`, with the same value.`, ...field, 'x-also-named': others };
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
