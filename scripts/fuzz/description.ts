import { withoutReferences } from '@highline/contract/openapi-references';
import { Ajv, type ValidateFunction } from 'ajv';

export type Json = Readonly<Record<string, unknown>>;

type Contents = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  readonly example: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<'200' | 'default', { readonly content: Contents }>>;
}

/** The published description, and nothing else that we know about the calls. */
export interface Description {
  readonly operations: readonly Operation[];
  /** What is wrong with a response, by the description; undefined = nothing. */
  faultOf(id: string, response: { readonly status: number; readonly type: string; readonly text: string }): string | undefined;
}

/** Read the description as a client would. */
export async function readDescription(url: string): Promise<Description> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
  const paths = withoutReferences(document['paths'], document) as Record<string, Record<string, Json>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): Operation => ({
      id: String(call['operationId']),
      method: method.toUpperCase(),
      path,
      description: String(call['description']),
      parameters: (call['parameters'] ?? []) as Parameter[],
      ...(call['requestBody'] === undefined ? {} : { body: call['requestBody'] as NonNullable<Operation['body']> }),
      responses: call['responses'] as Operation['responses'],
    })),
  );
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const compiled = new Map<string, ValidateFunction>();
  return {
    operations,
    faultOf(id, { status, type, text }) {
      // It leads a browser elsewhere, without a body.
      if (status === 303) return undefined;
      const { content } = byId.get(id)!.responses[status === 200 ? '200' : 'default'];
      const named = type.split(';')[0]!.trim();
      const media = content[named];
      if (media === undefined) return `answers ${status} with ${named === '' ? 'no type' : named}`;
      if (named !== 'application/json') return undefined;
      const key = status === 200 ? id : 'default';
      const validate = compiled.get(key) ?? ajv.compile(closed(media.schema) as Json);
      compiled.set(key, validate);
      if (validate(JSON.parse(text))) return undefined;
      const [first] = validate.errors ?? [];
      return `answers ${status} with ${first?.instancePath ?? ''} that ${first?.message ?? 'differs'} ${JSON.stringify(first?.params)}`;
    },
  };
}

/** A response has no field that the description does not name, in one spelling or another. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { discriminator: _, ...own } = schema as Json;
  const inner = Object.fromEntries(Object.entries(own).map(([name, part]) => [name, name === 'enum' ? part : closed(part)]));
  const properties = inner['properties'] as Record<string, Json> | undefined;
  if (properties === undefined) return inner;
  const others = Object.values(properties).flatMap((field) => (field['x-also-named'] ?? []) as string[]);
  const all = { ...properties, ...Object.fromEntries(others.map((name) => [name, {}])) };
  return { additionalProperties: false, ...inner, properties: all };
}
