export type Json = Readonly<Record<string, unknown>>;

/** Of a request: what is sent must stay accepted. Of a response: what is read must stay there. */
export type Direction = 'request' | 'response';

/** @param where the part of the call that is compared, as it stands in the sentences */
export function compareSchemas(former: Json, current: Json, where: string, direction: Direction): string[] {
  const before = alternativesOf(former);
  const after = alternativesOf(current);
  if (before.length > 1 || after.length > 1) return compareAlternatives(before, after, where, direction);
  const [one, other] = [before[0]!, after[0]!];
  const typed = changesOfType(one, other, where, direction);
  if (typed.length > 0) return typed;
  return [
    ...(direction === 'request' ? narrowerValues(one, other, where) : []),
    ...changesOfFields(one, other, where, direction),
    ...changesOfParts(one, other, where, direction),
  ];
}

/** What a value may be; `null` is an alternative of its own. */
function alternativesOf(schema: Json): readonly Json[] {
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as readonly Json[];
  const isNullable = [schema, ...choices].some(({ nullable }) => nullable === true);
  return isNullable ? [...choices.map(withoutNull), { type: 'null' }] : choices;
}

function withoutNull({ nullable: _, ...schema }: Json): Json {
  const values = schema['enum'] as readonly unknown[] | undefined;
  return values === undefined ? schema : { ...schema, enum: values.filter((value) => value !== null) };
}

/** Each alternative that could be sent must still be taken by one, and each that can come must be one that was known. */
function compareAlternatives(before: readonly Json[], after: readonly Json[], where: string, direction: Direction): string[] {
  const [needed, offered] = direction === 'request' ? [before, after] : [after, before];
  const fits = (need: Json, offer: Json) =>
    (direction === 'request' ? compareSchemas(need, offer, where, direction) : compareSchemas(offer, need, where, direction))
      .length === 0;
  const missing = needed.filter((need) => !offered.some((offer) => fits(need, offer)));
  if (missing.length === 0) return [];
  if (missing.every(({ type }) => type === 'null'))
    return [direction === 'request' ? `${where}: no longer takes null` : `${where}: can be null now`];
  return [direction === 'request' ? `${where}: takes fewer kinds of values` : `${where}: can be another kind of value`];
}

function typesOf(schema: Json): ReadonlySet<string> | undefined {
  const named = schema['type'];
  if (named === undefined) {
    const values = valuesOf(schema);
    return values === undefined ? undefined : new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  }
  const types = new Set((Array.isArray(named) ? named : [named]) as string[]);
  // Every integer is a number.
  if (types.has('number')) types.add('integer');
  return types;
}

function changesOfType(former: Json, current: Json, where: string, direction: Direction): string[] {
  const [needed, offered] = direction === 'request' ? [typesOf(former), typesOf(current)] : [typesOf(current), typesOf(former)];
  // Without a type anything is allowed.
  if (offered === undefined) return [];
  const missing = needed === undefined ? ['any type'] : [...needed].filter((type) => !offered.has(type));
  if (missing.length === 0) return [];
  return [
    direction === 'request' ? `${where}: no longer takes ${missing.join(', ')}` : `${where}: can be ${missing.join(', ')} now`,
  ];
}

function valuesOf(schema: Json): readonly unknown[] | undefined {
  return 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined);
}

const LOWEST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;

const HIGHEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** What a request could have and cannot any more. */
function narrowerValues(former: Json, current: Json, where: string): string[] {
  const [before, after] = [valuesOf(former), valuesOf(current)];
  const lost = before?.filter((value) => after !== undefined && !after.includes(value)) ?? [];
  const limits = [
    ...LOWEST.filter((name) => current[name] !== undefined && Number(current[name]) > Number(former[name] ?? -Infinity)),
    ...HIGHEST.filter((name) => current[name] !== undefined && Number(current[name]) < Number(former[name] ?? Infinity)),
  ];
  const patternsOf = (schema: Json) => JSON.stringify([schema['pattern'], schema['allOf']]);
  const isPatternNew = (current['pattern'] ?? current['allOf']) !== undefined && patternsOf(former) !== patternsOf(current);
  return [
    ...lost.map((value) => `${where}: no longer takes ${JSON.stringify(value)}`),
    ...(before === undefined && after !== undefined ? [`${where}: takes only some values now`] : []),
    ...limits.map((name) => `${where}: ${name} is ${String(current[name])} now`),
    ...(isPatternNew ? [`${where}: has another pattern`] : []),
  ];
}

/** With every spelling in which a field is sent. */
function fieldsOf(schema: Json): Readonly<Record<string, Json>> {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => [name, ...((field['x-also-named'] ?? []) as string[])].map((each) => [each, field])),
  );
}

const requiredOf = (schema: Json) => new Set((schema['required'] ?? []) as readonly string[]);

function changesOfFields(former: Json, current: Json, where: string, direction: Direction): string[] {
  const [before, after] = [fieldsOf(former), fieldsOf(current)];
  const [formerly, now] = [requiredOf(former), requiredOf(current)];
  const kept = Object.entries(before).flatMap(([name, field]) => {
    const at = `${where} ${name}`;
    const other = after[name];
    if (other === undefined) return typeof current['additionalProperties'] === 'object' ? [] : [`${at}: removed`];
    const isLost = direction === 'response' && formerly.has(name) && !now.has(name);
    return [...(isLost ? [`${at}: can be missing now`] : []), ...compareSchemas(field, other, at, direction)];
  });
  if (direction === 'response') return kept;
  const demanded = [...now].filter((name) => !formerly.has(name)).map((name) => `${where} ${name}: is required now`);
  return [...demanded, ...kept];
}

/** Items of lists, and values of maps. */
function changesOfParts(former: Json, current: Json, where: string, direction: Direction): string[] {
  const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;
  const parts = [
    ['items', `${where}[]`],
    ['additionalProperties', `${where} *`],
  ] as const;
  return parts.flatMap(([name, at]) => {
    const [one, other] = [former[name], current[name]];
    return isSchema(one) && isSchema(other) ? compareSchemas(one, other, at, direction) : [];
  });
}
