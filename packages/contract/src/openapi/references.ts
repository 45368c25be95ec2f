type Json = Readonly<Record<string, unknown>>;

/** A part of an OpenAPI document with what its references point to. No schema of ours contains itself. */
export function withoutReferences(part: unknown, document: Json): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => withoutReferences(each, document));
  const { $ref: target } = part as Json;
  if (typeof target === 'string') return withoutReferences(resolve(target, document), document);
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, withoutReferences(each, document)]));
}

/** @param target such as `#/components/schemas/Device` */
function resolve(target: string, document: Json): unknown {
  const [, ...steps] = target.split('/');
  return steps.reduce<unknown>((at, step) => (at as Json)[step], document);
}
