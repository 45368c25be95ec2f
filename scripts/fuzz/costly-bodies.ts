import type { Operation } from '@highline/contract';

/** Makes a body of a call that is as large as the call takes, and costly to parse, to check or to use. */
export type MakeBody = (operation: Pick<Operation, 'maxBodyBytes'>, right: unknown) => string;

/** Bodies that a call rejects by their text: far more values than it takes. */
export const numberedObjects = (bytes: number): string => {
  const parts: string[] = [];
  for (let size = 2, n = 0; size < bytes - 14; n++) size += parts.push(`"${n}":{}`) && String(n).length + 6;
  return `{${parts.join(',')}}`;
};

/** The most values of a body, and keys among them (`transport/http/request-body.ts`). */
const valuesOf = ({ maxBodyBytes }: Pick<Operation, 'maxBodyBytes'>): number =>
  (maxBodyBytes > 1_048_576 ? 110_000 : 25_000) - 100;
const KEYS = 24_900;

const times = (count: number, make: (n: number) => string): string => Array.from({ length: count }, (_, n) => make(n)).join(',');

/** The fields of a right body with these values; a body without fields is the value itself. */
function inFields(right: unknown, make: (share: number) => string): string {
  const fields = Object.keys(right ?? {});
  if (fields.length === 0) return make(1);
  return `{${fields.map((field) => `${JSON.stringify(field)}:${make(fields.length)}`).join(',')}}`;
}

const listOf =
  (make: (n: number) => string, bytesOfOne: number): MakeBody =>
  (operation, right) =>
    inFields(right, (share) => {
      const count = Math.min(valuesOf(operation), operation.maxBodyBytes / bytesOfOne) / share - 2;
      return `[${times(Math.max(1, Math.floor(count)), make)}]`;
    });

const long =
  (unit: string, begin = ''): MakeBody =>
  (operation, right) =>
    inFields(
      right,
      (share) => `"${begin}${unit.repeat(Math.floor((operation.maxBodyBytes - 2_000) / Buffer.byteLength(unit) / share))}"`,
    );

/** A right body whose lists are as long as the body may be. */
const lengthened: MakeBody = (operation, right) => {
  const lists = JSON.stringify(right ?? {}).split('[').length - 1;
  const item = JSON.stringify(right ?? {}).length;
  const count = Math.floor(Math.min(valuesOf(operation) / 6, operation.maxBodyBytes / (item + 20)) / Math.max(1, lists));
  const lengthen = (value: unknown): unknown => {
    if (Array.isArray(value) && value.length > 0) return Array.from({ length: count }, (_, n) => varied(lengthen(value[0]), n));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, lengthen(part)]));
  };
  return JSON.stringify(lengthen(right ?? {})).slice(0, operation.maxBodyBytes);
};

function varied(value: unknown, n: number): unknown {
  if (typeof value === 'string') return n === 0 ? value : `${value}-${n}`;
  return typeof value === 'number' ? value + n : value;
}

export const costlyBodies: Readonly<Record<string, MakeBody>> = {
  'numbered empty objects': ({ maxBodyBytes }) => numberedObjects(maxBodyBytes),
  'lists in each field': (operation, right) =>
    inFields(right, (share) => `[${times(Math.floor(operation.maxBodyBytes / 3 / share) - 100, () => '[]')}]`),
  'as many empty lists as it takes': listOf(() => '[]', 3),
  'as many keys as it takes': (operation) =>
    `{${times(Math.min(KEYS, Math.floor(operation.maxBodyBytes / 16)), (n) => `"key${n}":${n}`)}}`,
  'objects of different shapes': listOf((n) => `{"key${n}":0}`, 16),
  numbers: listOf((n) => String(n / 8), 9),
  'texts that are too long': listOf((n) => `"${'x'.repeat(130)}${n}"`, 140),
  'texts with nothing but escapes': long('\\"'),
  'one long text': long('x'),
  'marks out of order on one letter': long('\u0344\u0323', 'a'),
  'an address with a long domain of other letters': long('漢', 'a@'),
  'nested lists': listOf((n) => (n % 45 === 0 ? `${'['.repeat(40)}${n}${']'.repeat(40)}` : '0'), 5),
  'right, with long lists': lengthened,
};
