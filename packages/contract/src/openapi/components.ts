import type { z } from 'zod';
import { publish } from './published.ts';
import { jsonSchemaOf, type JsonSchema } from './schema.ts';

/** A schema of a call, and the name of the component where the contract has none for it. */
export interface Root {
  readonly schema: JsonSchema;
  readonly name: string;
}

/** Schemas by their names. */
export type Named = Readonly<Record<string, z.ZodType>>;

export interface Components {
  /** By name, in alphabetical order. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The schema of a root with references. */
  readonly refer: (root: Root) => JsonSchema;
}

/**
 * Gives each object and each union of objects one component, so that a generated client has one type for it. The contract names those
 * that are used in several places; another one is named after its call or the field that has it.
 */
export function createComponents(named: Named, roots: readonly Root[]): Components {
  const used = new Set<string>();
  for (const { schema } of roots) collect(schema, used);
  const contractNames = namesOf(named, used);
  const names = new Map<string, string>();
  const schemas = new Map<string, JsonSchema>();
  const owners = new Map<string, string>();

  /** A reference to the component of a schema. @param suggested its name where the contract has none */
  function refer(schema: JsonSchema, suggested: string): JsonSchema {
    if (!isComponent(schema) && !contractNames.has(keyOf(schema))) return inside(schema, suggested);
    const key = keyOf(schema);
    const known = names.get(key);
    if (known !== undefined) return reference(known);
    const name = contractNames.get(key) ?? suggested;
    const owner = owners.get(name.toLowerCase());
    if (owner !== undefined)
      throw new Error(
        `Two schemas of the description are called ${name}. Name one of them in schemaNames of its calls.ts: ${owner.slice(0, 300)} and ${key.slice(0, 300)}`,
      );
    owners.set(name.toLowerCase(), key);
    names.set(key, name);
    schemas.set(name, inside(schema, name));
    return reference(name);
  }

  function inside(schema: JsonSchema, name: string): JsonSchema {
    const union = unionOf(schema);
    if (union !== undefined) return unionWithReferences(schema, union, name);
    const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
    const { items, additionalProperties: rest } = schema as { items?: JsonSchema; additionalProperties?: unknown };
    return {
      ...schema,
      ...(properties === undefined
        ? {}
        : { properties: mapValues(properties, (field, property) => refer(field, childName(name, property, field))) }),
      ...(items === undefined ? {} : { items: refer(items, name) }),
      ...(typeof rest === 'object' && rest !== null ? { additionalProperties: refer(rest as JsonSchema, name) } : {}),
    };
  }

  function unionWithReferences(schema: JsonSchema, { keyword, choices }: Union, name: string): JsonSchema {
    const tag = tagOf(choices);
    const kindOf = (choice: JsonSchema) => String((fieldsOf(choice)[tag!]!['enum'] as unknown[])[0]);
    const variants = choices.map((choice, index) =>
      refer(choice, tag === undefined ? `${name}Choice${index + 1}` : `${pascal(kindOf(choice))}${name}`),
    );
    const isTagged = tag !== undefined && variants.every((variant) => '$ref' in variant);
    const mapping = isTagged
      ? Object.fromEntries(choices.map((choice, index) => [kindOf(choice), variants[index]!['$ref']]))
      : {};
    return { ...schema, [keyword]: variants, ...(isTagged ? { discriminator: { propertyName: tag, mapping } } : {}) };
  }

  const referenced = new Map(roots.map((root) => [root, refer(root.schema, envelopeName(root, contractNames))]));
  return {
    schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    refer: (root) => referenced.get(root)!,
  };
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const fieldsOf = (schema: JsonSchema) => (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;

interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly choices: readonly JsonSchema[];
}

function unionOf(schema: JsonSchema): Union | undefined {
  const keyword = 'oneOf' in schema ? 'oneOf' : 'anyOf';
  const choices = schema[keyword] as readonly JsonSchema[] | undefined;
  return choices === undefined ? undefined : { keyword, choices };
}

/** Objects with fields, and unions of such. */
function isComponent(schema: JsonSchema): boolean {
  return 'properties' in schema || (unionOf(schema)?.choices.every(isComponent) ?? false);
}

/** The field that tells the objects of a union apart: it has one value in each, and no two have the same. */
function tagOf(choices: readonly JsonSchema[]): string | undefined {
  const valuesOf = (name: string) => choices.map((choice) => fieldsOf(choice)[name]?.['enum'] as readonly unknown[] | undefined);
  return Object.keys(fieldsOf(choices[0]!)).find((name) => {
    const values = valuesOf(name);
    return values.every((each) => each?.length === 1) && new Set(values.map((each) => each![0])).size === choices.length;
  });
}

const keyOf = ({ description: _, ...schema }: JsonSchema): string => JSON.stringify(schema);

function collect(schema: unknown, used: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  used.add(keyOf(schema as JsonSchema));
  for (const part of Object.values(schema)) collect(part, used);
}

/** The names of the contract, by schema. Where a schema is taken in one form and answered in another, the first is its input. */
function namesOf(named: Named, used: ReadonlySet<string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(named).flatMap(([name, schema]) => {
      const [output, input] = [publish(jsonSchemaOf(schema, 'output')), publish(jsonSchemaOf(schema, 'input'))];
      const formsOf = (form: JsonSchema, as: string) => {
        const { nullable: _, ...own } = form;
        const isPlainUsed = used.has(keyOf(own));
        return [
          [keyOf(own), as],
          [keyOf({ ...own, nullable: true }), isPlainUsed ? `${as}OrNull` : as],
        ] as const;
      };
      const isSame = keyOf(input) === keyOf(output) || !used.has(keyOf(output));
      return [...(isSame ? [] : formsOf(output, name)), ...formsOf(input, isSame ? name : `${name}Input`)];
    }),
  );
}

const PAGE = new Set(['result', 'total', 'offset', 'next', 'previous']);

/** A response that only wraps an object of the contract is named after it: `DeviceAnswer`, `DeviceList`, `DevicePage`. */
function envelopeName({ schema, name }: Root, contractNames: ReadonlyMap<string, string>): string {
  const fields = fieldsOf(schema);
  const result = fields['result'];
  if (result === undefined || Object.keys(fields).some((field) => !PAGE.has(field))) return name;
  const isPage = 'total' in fields;
  const list = Object.keys(fieldsOf(result)).join() === 'list' ? fieldsOf(result)['list']! : result;
  const item = (list['items'] ?? list) as JsonSchema;
  const known = contractNames.get(keyOf(item));
  if (known === undefined || ('next' in fields && !isPage)) return name;
  if (list === item) return isPage ? name : `${known}Answer`;
  return `${known}${isPage ? 'Page' : 'List'}`;
}

function childName(parent: string, property: string, field: JsonSchema): string {
  if (property === 'result')
    return /(?:Answer|Page|List)$/u.test(parent) ? parent.replace(/Answer$/u, '').concat('Result') : `${parent}Result`;
  const isList = field['type'] === 'array' || 'additionalProperties' in field;
  return `${parent.replace(/Result$/u, '')}${pascal(isList ? singular(property) : property)}`;
}

const singular = (name: string) => name.replace(/ies$/u, 'y').replace(/(?<![su])s$/u, '');

/** `position-silent` and `positionSilent` as PositionSilent. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]/u)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}

export function mapValues<T, R>(values: Readonly<Record<string, T>>, change: (value: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
