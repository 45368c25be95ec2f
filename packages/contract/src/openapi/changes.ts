// Compares two descriptions of the calls: what a program written for the former one can no longer rely on (HKS-03).

import { type Json, type Direction, compareSchemas } from './changes-of-fields.ts';
import { withoutReferences } from './references.ts';

/**
 * The breaking changes between two OpenAPI documents that `describeApi` wrote, one sentence each, in alphabetical order: a removed or
 * moved call, a removed field, a new required field, a narrower request, a response that can lack a field or have another type.
 * New calls, new optional fields and new values of a response's enumeration break nothing.
 */
export function breakingChanges(former: Json, current: Json): string[] {
  const now = callsOf(current);
  return [...callsOf(former)].flatMap(([id, call]) => changesOfCall(id, call, now.get(id))).toSorted();
}

interface CallShape {
  readonly address: string;
  readonly params: Json;
  readonly query: Json;
  readonly bodies: ReadonlyMap<string, Json>;
  readonly responses: ReadonlyMap<string, Json>;
}

function callsOf(document: Json): ReadonlyMap<string, CallShape> {
  const paths = Object.entries(withoutReferences(document['paths'] ?? {}, document) as Record<string, Record<string, Json>>);
  return new Map(
    paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => {
        const response = (call['responses'] as Record<string, Json> | undefined)?.['200'];
        const shape: CallShape = {
          address: `${method.toUpperCase()} ${path}`,
          params: parametersAt(call, 'path'),
          query: parametersAt(call, 'query'),
          bodies: contentOf(call['requestBody'] as Json | undefined),
          responses: contentOf(response),
        };
        return [String(call['operationId']), shape] as const;
      }),
    ),
  );
}

/** Parameters as the schema of one object. */
function parametersAt(call: Json, location: 'path' | 'query'): Json {
  const own = ((call['parameters'] ?? []) as Json[]).filter((each) => each['in'] === location);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map((each) => [each['name'], each['schema']])),
    required: own.filter((each) => each['required'] === true).map(({ name }) => name),
  };
}

function contentOf(part: Json | undefined): ReadonlyMap<string, Json> {
  const content = Object.entries((part?.['content'] ?? {}) as Record<string, Json>);
  return new Map(content.map(([type, { schema }]) => [type, (schema ?? {}) as Json]));
}

function changesOfCall(id: string, former: CallShape, current: CallShape | undefined): string[] {
  if (current === undefined) return [`${id}: removed`];
  const moved = former.address === current.address ? [] : [`${id}: moved from ${former.address} to ${current.address}`];
  const changes = [
    ...compareSchemas(former.params, current.params, 'path', 'request'),
    ...compareSchemas(former.query, current.query, 'query', 'request'),
    ...changesOfContent(former.bodies, current.bodies, 'body', 'request'),
    ...changesOfContent(former.responses, current.responses, 'response', 'response'),
  ];
  return [...moved, ...changes.map((change) => `${id}: ${change}`)];
}

function changesOfContent(
  former: ReadonlyMap<string, Json>,
  current: ReadonlyMap<string, Json>,
  where: string,
  direction: Direction,
): string[] {
  // A call that begins to take a body: whatever is required in it is new.
  if (former.size === 0 && direction === 'request')
    return [...current.values()].flatMap((schema) => compareSchemas({ type: 'object' }, schema, where, direction));
  return [...former].flatMap(([type, schema]) => {
    const other = current.get(type);
    return other === undefined ? [`${where}: no ${type} any more`] : compareSchemas(schema, other, where, direction);
  });
}
