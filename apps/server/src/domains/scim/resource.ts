import { lengthOf } from '@highline/contract';
import { badRequest } from './failure.ts';
import { isRecord, isStorable } from './stored-values.ts';
import { findExtension, findPath } from './attribute-paths.ts';
import { type Attribute } from './attributes.ts';
import { commonAttributes, type ResourceType, type Schema } from './schemas.ts';

/** A resource as a client writes it: known attributes, by their names as the schema spells them. */
export type Document = Record<string, unknown>;

const LONGEST_TEXT = 1_000;
const MOST_VALUES = 100;
/** Names that an object may have; no schema has as many. */
const MOST_NAMES = 1_000;
/** Those whom a request can name. */
const MOST_MEMBERS = 20_000;

/**
 * What a client may write of a body. Attributes that are unknown or read-only have no effect (RFC 7644, 3.3).
 * @throws ScimFailure `invalidValue`
 */
export function readDocument(type: ResourceType, body: Readonly<Record<string, unknown>>): Document {
  const document = readAttributes([...commonAttributes, ...type.schema.attributes], body);
  for (const [key, value] of entriesOf(body)) {
    const extension = findExtension(type, key);
    if (extension !== undefined && isRecord(value)) document[extension.id] = readAttributes(extension.attributes, value);
  }
  delete document['schemas'];
  return withoutEmpty(document);
}

/** What an object has. @throws ScimFailure `invalidValue` for one with too many names */
export function entriesOf(body: Readonly<Record<string, unknown>>): [string, unknown][] {
  const entries = Object.entries(body);
  if (entries.length > MOST_NAMES) throw badRequest('invalidValue', `An object may have ${MOST_NAMES} attributes.`);
  return entries;
}

const namesOfAll = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

function readAttributes(attributes: readonly Attribute[], body: Readonly<Record<string, unknown>>): Document {
  const byName = namesOfAll.get(attributes) ?? new Map(attributes.map((each) => [each.name.toLowerCase(), each]));
  namesOfAll.set(attributes, byName);
  return Object.fromEntries(
    entriesOf(body).flatMap(([key, value]) => {
      const attribute = byName.get(key.toLowerCase());
      if (attribute === undefined || attribute.mutability === 'readOnly') return [];
      const read = readValue(attribute, value);
      return read === undefined ? [] : [[attribute.name, read]];
    }),
  );
}

/**
 * A value of an attribute; of a list, all of them. Undefined: it is unassigned.
 * @throws ScimFailure `invalidValue`
 */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.multiValued !== true) return readSingle(attribute, value);
  const values = checkLength(attribute, [value].flat());
  return values.map((each) => readSingle(attribute, each)).filter((each) => each !== undefined);
}

/**
 * The values of a list, which are not too many.
 * @throws ScimFailure `invalidValue`
 */
export function checkLength<Value>({ name }: Attribute, values: Value[]): Value[] {
  const most = name === 'members' ? MOST_MEMBERS : MOST_VALUES;
  if (values.length > most) throw badRequest('invalidValue', `${name} may have ${most} values.`);
  return values;
}

/** One value, also of a list. */
export function readSingle(attribute: Attribute, value: unknown): unknown {
  const { name, type, subAttributes } = attribute;
  if (value === null) return undefined;
  if (type === 'complex') {
    if (isRecord(value)) return readAttributes(subAttributes ?? [], value);
    // Clients send a value alone for one with a value.
    if (typeof value === 'string' && subAttributes?.some((sub) => sub.name === 'value') === true)
      return readAttributes(subAttributes, { value });
    throw badRequest('invalidValue', `${name} is an object.`);
  }
  if (type === 'boolean') return readFlag(name, value);
  if (typeof value !== 'string' && typeof value !== 'number') throw badRequest('invalidValue', `${name} is a text.`);
  const text = String(value);
  if (lengthOf(text) > LONGEST_TEXT) throw badRequest('invalidValue', `${name} may have ${LONGEST_TEXT} characters.`);
  if (!isStorable(text)) throw badRequest('invalidValue', `${name} has characters that cannot be stored.`);
  return text;
}

/** Microsoft Entra ID sends "True" and "False". */
function readFlag(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw badRequest('invalidValue', `${name} is true or false.`);
}

/** Without attributes that have nothing in them: an empty list or object is unassigned (RFC 7643, 2.5). */
export function withoutEmpty(document: Document): Document {
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]) => {
      const kept = isRecord(value) ? withoutEmpty(value) : value;
      const isEmpty =
        kept === undefined || (Array.isArray(kept) ? kept.length === 0 : isRecord(kept) && Object.keys(kept).length === 0);
      return isEmpty ? [] : [[key, kept]];
    }),
  );
}

/** Which attributes an answer has. */
export interface Projection {
  readonly attributes: readonly string[];
  readonly excluded: readonly string[];
}

/** The attributes of a resource that were requested (RFC 7644, 3.9). What is always returned stays; unknown names have no effect. */
export function project(type: ResourceType, resource: Document, { attributes, excluded }: Projection): Document {
  const always = new Set(commonAttributes.filter(({ returned }) => returned === 'always').map(({ name }) => name));
  if (attributes.length > 0) {
    const chosen: Document = Object.fromEntries(Object.entries(resource).filter(([key]) => always.has(key)));
    for (const text of attributes) choose(type, resource, chosen, text);
    return chosen;
  }
  if (excluded.length === 0) return withoutEmpty(resource);
  const rest = structuredClone(resource);
  for (const text of excluded) drop(type, rest, text, always);
  return withoutEmpty(rest);
}

function choose(type: ResourceType, resource: Document, chosen: Document, text: string): void {
  const extension = findExtension(type, text);
  if (extension !== undefined) return copy(resource, chosen, extension.id);
  const path = findPath(type, text);
  if (path === undefined) return;
  const { attribute, sub } = path;
  const [from, to] = path.extension === undefined ? [resource, chosen] : extensionOf(resource, chosen, path.extension);
  if (sub === undefined) return copy(from, to, attribute.name);
  const value = from[attribute.name];
  const chosenBefore = to[attribute.name];
  if (isRecord(value)) to[attribute.name] = { ...(isRecord(chosenBefore) ? chosenBefore : {}), ...only(value, sub.name) };
  if (Array.isArray(value))
    to[attribute.name] = value.filter(isRecord).map((each, index) => {
      const before: unknown = Array.isArray(chosenBefore) ? chosenBefore[index] : {};
      return { ...(isRecord(before) ? before : {}), ...only(each, sub.name) };
    });
}

function extensionOf(resource: Document, chosen: Document, id: Schema['id']): [Document, Document] {
  const from = resource[id];
  const before = chosen[id];
  const to = isRecord(before) ? before : {};
  chosen[id] = to;
  return [isRecord(from) ? from : {}, to];
}

function copy(from: Document, to: Document, key: string): void {
  if (from[key] !== undefined) to[key] = from[key];
}

const only = (value: Document, key: string): Document => (value[key] === undefined ? {} : { [key]: value[key] });

function drop(type: ResourceType, rest: Document, text: string, always: ReadonlySet<string>): void {
  const extension = findExtension(type, text);
  if (extension !== undefined) return void delete rest[extension.id];
  const path = findPath(type, text);
  if (path === undefined || always.has(path.attribute.name)) return;
  const home = path.extension === undefined ? rest : rest[path.extension];
  if (!isRecord(home)) return;
  const { attribute, sub } = path;
  if (sub === undefined) return void delete home[attribute.name];
  for (const value of [home[attribute.name]].flat()) if (isRecord(value)) delete value[sub.name];
}
