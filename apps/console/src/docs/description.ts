// The parts of /openapi.json that the page shows.
import { withoutReferences } from '@highline/contract/openapi-references';

export type Schema = Readonly<Record<string, unknown>>;

interface Content {
  readonly type: string;
  readonly schema: Schema;
  readonly example: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example: unknown;
}

/** One call as it is shown. */
export interface Call {
  readonly id: string;
  /** The part of the id before the dot. */
  readonly area: string;
  /** The area as the page names it. */
  readonly areaName: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** What the search looks in. */
  readonly searched: string;
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly response: Content;
  /** It takes an Idempotency-Key. */
  readonly once: boolean;
  /** What the description of a field says, in the language of the page. */
  readonly noteOf: (text: string) => string;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: { readonly 200: { readonly content: Contents } };
}
type Contents = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

/** The description of the calls of a server. */
export interface Description {
  readonly version: string;
  readonly calls: readonly Call[];
}

interface OpenApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** @throws Error with a status when the server does not answer it */
export async function readDescription(): Promise<Description> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(String(response.status));
  return descriptionOf((await response.json()) as OpenApi);
}

/** What the page shows of an OpenAPI document. */
export function descriptionOf(document: OpenApi): Description {
  const paths = withoutReferences(document.paths, { ...document }) as Paths;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => callOf(path, method.toUpperCase(), described)),
  );
  return { version: document.info.version, calls: calls.toSorted((a, b) => a.id.localeCompare(b.id, 'en')) };
}

function callOf(path: string, method: string, described: Described): Call {
  const { operationId: id, summary, description, security, parameters = [] } = described;
  const area = id.slice(0, id.indexOf('.'));
  return {
    id,
    area,
    areaName: area,
    method,
    path,
    summary,
    description,
    searched: `${id} ${method} ${path} ${summary}`,
    isPublic: security.length === 0,
    parameters: parameters.filter((each) => each.in !== 'header'),
    body: described.requestBody === undefined ? undefined : contentOf(described.requestBody.content),
    response: contentOf(described.responses[200].content),
    once: parameters.some(({ name }) => name === 'Idempotency-Key'),
    noteOf: (text) => text,
  };
}

/** Whether a call has every part of a search, ignoring case. */
export function matches({ searched }: Call, search: string): boolean {
  const text = searched.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s/u)
    .every((part) => text.includes(part));
}

function contentOf(contents: Contents): Content {
  const [type = '', { schema, example } = { schema: {}, example: undefined }] = Object.entries(contents)[0] ?? [];
  return { type, schema, example };
}

/** One line of a table of fields; `parts[].name` is the field of each item of a list. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly limits: string;
  /** What its name does not say. */
  readonly note: string;
}

/** Every field of a schema, those of objects and lists inside of it too. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const required = new Set(schema['required'] as readonly string[] | undefined);
  return Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const at = `${prefix}${name}`;
    const own = { name: at, type: typeText(field), required: required.has(name), limits: limitsText(field), note: noteOf(field) };
    return [own, ...partsOf(field, at)];
  });
}

function partsOf(field: Schema, at: string): Field[] {
  const choices = (field['anyOf'] ?? field['oneOf']) as readonly Schema[] | undefined;
  if (choices !== undefined) return choices.flatMap((choice) => partsOf(choice, at));
  if (isType(field, 'object')) return fieldsOf(field, `${at}.`);
  if (isType(field, 'array')) return partsOf((field['items'] ?? {}) as Schema, `${at}[]`);
  return [];
}

const isType = ({ type }: Schema, named: string) => type === named;

/** Of a field, or of the items of a list. */
const noteOf = ({ description, items }: Schema): string =>
  [description, (items as Schema | undefined)?.['description']].find((each) => typeof each === 'string') ?? '';

function typeText(schema: Schema): string {
  const orNull = schema['nullable'] === true ? ['null'] : [];
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  const types = choices === undefined ? [oneTypeText(schema)] : choices.flatMap((choice) => typeText(choice).split(' | '));
  return [...new Set([...types, ...orNull])].join(' | ');
}

function oneTypeText(schema: Schema): string {
  const { type = 'any' } = schema;
  if (type !== 'array') return String(type);
  const item = typeText((schema['items'] ?? {}) as Schema);
  return item.includes(' ') ? `(${item})[]` : `${item}[]`;
}

const isLimit = (value: unknown): value is number => typeof value === 'number';

function limitsText(schema: Schema): string {
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) return values.map(String).join(', ');
  const from = [schema['minimum'], schema['minLength'], schema['minItems']].find(isLimit);
  const to = [schema['maximum'], schema['maxLength'], schema['maxItems']].find(isLimit);
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return `≥ ${String(from)}`;
  return from === undefined ? `≤ ${String(to)}` : `${String(from)}–${String(to)}`;
}
