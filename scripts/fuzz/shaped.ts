import * as fc from 'fast-check';
import type { allOperations } from '@highline/contract/all-operations';
import { jsonSchemaOf } from '@highline/contract/openapi';
import { hostileJson, hostileNumber, hostileText } from './hostile.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Texts in formats of the contract: dates, ids, addresses, sorted and filtered columns. */
const plausibleText = fc.oneof(
  fc.constantFrom(
    '01/01/2026',
    '12/31/2027',
    'today',
    'last_7_days',
    'serial',
    '-serial',
    'asc',
    'desc',
    'ssh',
    'gui',
    'all',
    'en-US',
  ),
  fc.constantFrom(
    '00:1A:2B:3C:4D:5E',
    '001A2B3C4D5E',
    'HL-R320',
    '1.0.0',
    'fuzz@highline.invalid',
    'Europe/Paris',
    'Asia/Taipei',
  ),
  fc.integer({ min: -1, max: 2_000_000_000 }).map(String),
  fc.uuid(),
  fc.string({ maxLength: 30 }),
);

/** Values of a schema of the contract: nearly always of its shape, with plausible or hostile texts. */
export function shapedBy(schema: (typeof allOperations)[number]['body']): fc.Arbitrary<unknown> {
  return arbitraryOf(jsonSchemaOf(schema, 'input'), 0);
}

function arbitraryOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  const [first] = schema.allOf ?? [];
  if (depth > 5) return fc.constant(null);
  if (schema.enum !== undefined) return mostly(fc.constantFrom(...schema.enum), hostileText);
  if (schema.const !== undefined) return mostly(fc.constant(schema.const), hostileText);
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, depth + 1)));
  if (first !== undefined) return arbitraryOf(first, depth + 1);
  return arbitraryOfType(schema, depth);
}

function arbitraryOfType(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { minimum = -10, maximum = 1_000 } = schema;
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: plausibleText }, { weight: 2, arbitrary: hostileText });
    case 'integer':
      return mostly(fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }), hostileNumber);
    case 'number':
      return mostly(fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true }), hostileNumber);
    case 'boolean':
      return mostly(fc.boolean(), hostileText);
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.prefixItems?.[0] ?? schema.items ?? {}, depth + 1), {
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case 'object':
      return objectOf(schema, depth);
    default:
      return fc.oneof(plausibleText, hostileJson);
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, arbitraryOf(part, depth + 1)]));
  const known = fc.record(parts, { requiredKeys: required.filter((name) => name in parts) });
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(fc.string({ maxLength: 20 }), arbitraryOf(additionalProperties, depth + 1), { maxKeys: 4 });
  return fc.tuple(known, others).map(([own, more]) => ({ ...more, ...own }));
}

function mostly<A, B>(usual: fc.Arbitrary<A>, odd: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
}
