import { findExtension, findPath } from './attribute-paths.ts';
import type { Attribute } from './attributes.ts';
import { Effort } from './effort.ts';
import { badRequest } from './failure.ts';
import { matches } from './filter-matches.ts';
import { readPath, type PatchPath } from './filter.ts';
import { type Operation, readOperations, type Verb } from './patch-operations.ts';
import { keepOnePrimary, recordIn, listIn } from './patched-lists.ts';
import { checkLength, entriesOf, readSingle, readValue, withoutEmpty, type Document } from './resource.ts';
import type { ResourceType } from './schemas.ts';
import { isRecord, type Filter } from './stored-values.ts';

/** What reading a path costs, and each character of it. */
const EFFORT_OF_PATH = 500;
const EFFORT_OF_SIGN = 5;
/** What a value of a list costs besides its characters. */
const EFFORT_OF_VALUE = 200;
const EFFORT_OF_MEMBER = 50;

/**
 * Apply the operations of a PATCH (RFC 7644, 3.5.2) one after the other, all or none. Spellings of Microsoft Entra ID are understood: verbs
 * in any case, names of attributes as keys of a value, and values to remove.
 * @returns the document after them
 * @throws ScimFailure `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `noTarget`, `mutability`; `tooMany` for operations that
 * together compare too much
 */
export function applyPatch(type: ResourceType, document: Document, body: Readonly<Record<string, unknown>>): Document {
  const change: Patch = { type, document: structuredClone(document), effort: new Effort() };
  for (const operation of joinMembers(readOperations(body))) applyOperation(change, operation);
  return withoutEmpty(change.document);
}

/** A PATCH that is being applied. */
interface Patch {
  readonly type: ResourceType;
  readonly document: Document;
  readonly effort: Effort;
}

const oneMember = /^members\[ *value eq "([^"\\]*)" *\]$/iu;

/** Operations on members one after another are one: a directory sends one for each person, and a group has many. */
function joinMembers(operations: readonly Operation[]): Operation[] {
  const joint: Operation[] = [];
  let last: { readonly verb: Verb; readonly value: unknown[] } | undefined;
  for (const operation of operations) {
    const { verb, path = '', value } = operation;
    const [, id] = (verb === 'remove' && oneMember.exec(path)) || [];
    const isList = path.toLowerCase() === 'members' && verb !== 'replace' && typeof value === 'object' && value !== null;
    const values = id === undefined ? (isList ? [value].flat() : undefined) : [{ value: id }];
    if (values === undefined || last?.verb !== verb) {
      last = values && { verb, value: [] };
      joint.push(last === undefined ? operation : { ...last, path: 'members' });
    }
    if (values !== undefined) for (const each of values) last?.value.push(each);
  }
  return joint;
}

function applyOperation(patch: Patch, { verb, path, value }: Operation): void {
  const { type, document } = patch;
  const extension = path === undefined ? undefined : findExtension(type, path);
  if (path !== undefined && extension === undefined) return applyAt(patch, verb, path, value);
  if (verb === 'remove') {
    if (extension === undefined) throw badRequest('noTarget', 'A removal has a path.');
    delete document[extension.id];
    return;
  }
  if (!isRecord(value)) throw badRequest('invalidValue', 'The value of an operation without a path is an object.');
  applyEach(patch, verb, extension === undefined ? value : prefixed(extension.id, value));
}

const prefixed = (id: string, value: Document): Document =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [`${id}:${key}`, each]));

/** Each key of a value is a path. What the resource does not have, or no client writes, has no effect here, as in a whole resource. */
function applyEach(patch: Patch, verb: Verb, value: Document): void {
  const { type, effort } = patch;
  for (const [key, each] of entriesOf(value)) {
    effort.spend(EFFORT_OF_PATH);
    const extension = findExtension(type, key);
    if (extension !== undefined && isRecord(each)) applyEach(patch, verb, prefixed(extension.id, each));
    else if (key.includes('[') || isWritable(type, key)) applyAt(patch, verb, key, each);
  }
}

function isWritable(type: ResourceType, key: string): boolean {
  const path = findPath(type, key);
  return path !== undefined && path.attribute.mutability !== 'readOnly' && path.attribute.name !== 'schemas';
}

function applyAt({ type, document, effort }: Patch, verb: Verb, text: string, value: unknown): void {
  effort.spend(EFFORT_OF_PATH + EFFORT_OF_SIGN * text.length);
  const { extension, attribute, sub, filter }: PatchPath = readPath(type, text);
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly' || attribute.name === 'schemas')
    throw badRequest('mutability', `${sub?.name ?? attribute.name} cannot be written.`);
  const home = extension === undefined ? document : recordIn(document, extension);
  if (attribute.multiValued === true) effort.spend(weigh(attribute, listIn(home, attribute)));
  if (filter !== undefined) return applyToSome(home, verb, { attribute, sub, filter, effort }, value);
  if (sub !== undefined) return applyToSub(home, verb, attribute, sub, value);
  if (verb === 'remove') return removeFrom(home, attribute, value);
  const read = readValue(attribute, value);
  if (read === undefined) {
    delete home[attribute.name];
  } else if (attribute.multiValued === true) {
    home[attribute.name] =
      verb === 'add' ? checkLength(attribute, joined(attribute, listIn(home, attribute), read as unknown[])) : read;
    keepOnePrimary(home[attribute.name], read as unknown[]);
  } else if (isRecord(read)) {
    home[attribute.name] = { ...recordIn(home, attribute.name), ...read };
  } else {
    home[attribute.name] = read;
  }
}

/** Those values of a list that fit. */
function applyToSome(
  home: Document,
  verb: Verb,
  { attribute, sub, filter, effort }: Pick<PatchPath, 'attribute' | 'sub'> & { readonly filter: Filter; readonly effort: Effort },
  value: unknown,
): void {
  const all = listIn(home, attribute);
  const chosen = new Set(all.filter((each) => isRecord(each) && matches(filter, each, effort)));
  if (verb === 'remove') {
    if (sub === undefined) home[attribute.name] = all.filter((each) => !chosen.has(each));
    else for (const each of chosen) if (isRecord(each)) delete each[sub.name];
    return;
  }
  if (chosen.size === 0) {
    if (verb === 'replace') throw badRequest('noTarget', `No value of ${attribute.name} fits.`);
    const added = namedBy(filter);
    chosen.add(added);
    all.push(added);
    home[attribute.name] = checkLength(attribute, all);
  }
  const given = sub === undefined ? readSingle(attribute, value) : { [sub.name]: readSingle(sub, value) };
  if (!isRecord(given)) throw badRequest('invalidValue', `${attribute.name} needs a value.`);
  for (const each of chosen) if (isRecord(each)) Object.assign(each, given);
  keepOnePrimary(all, [...chosen]);
}

/** What a new value of a list has from the filter that chose it: `type eq "work"`. */
function namedBy(filter: Filter): Document {
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(namedBy)) as Document;
  if (filter.kind !== 'compare' || filter.operator !== 'eq') throw badRequest('noTarget', 'No value fits.');
  return { [filter.path.attribute.name]: readSingle(filter.path.attribute, filter.literal) };
}

function applyToSub(home: Document, verb: Verb, attribute: Attribute, sub: Attribute, value: unknown): void {
  const read = verb === 'remove' ? undefined : readValue(sub, value);
  if (attribute.multiValued !== true) {
    const owner = recordIn(home, attribute.name);
    if (read === undefined) delete owner[sub.name];
    else owner[sub.name] = read;
    return;
  }
  const all = listIn(home, attribute).filter(isRecord);
  if (all.length === 0 && read !== undefined) all.push({});
  for (const each of all) {
    if (read === undefined) delete each[sub.name];
    else each[sub.name] = read;
  }
  home[attribute.name] = all;
}

/** The attribute, or those of its values that are named, as Microsoft Entra ID removes members. */
function removeFrom(home: Document, attribute: Attribute, value: unknown): void {
  if (attribute.multiValued !== true || value === undefined || value === null) {
    delete home[attribute.name];
    return;
  }
  const named = new Set((readValue(attribute, value) as unknown[]).map((each) => keyOf(attribute, each)));
  home[attribute.name] = listIn(home, attribute).filter((each) => !named.has(keyOf(attribute, each)));
}

/** Both lists, each value once. */
function joined(attribute: Attribute, before: readonly unknown[], added: readonly unknown[]): unknown[] {
  const known = new Set(before.map((each) => keyOf(attribute, each)));
  const isNew = (key: string) => !known.has(key) && known.add(key);
  return [...before, ...added.filter((each) => isNew(keyOf(attribute, each)))];
}

/** Members are the same by their value, other values with all that they have. */
const keyOf = ({ name }: Attribute, value: unknown): string =>
  isRecord(value) && typeof value['value'] === 'string' && (name === 'members' || value['type'] === undefined)
    ? value['value']
    : JSON.stringify(isRecord(value) ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)) : value);

/** The effort of looking at each value of a list. */
function weigh({ name }: Attribute, values: readonly unknown[]): number {
  let effort = values.length * (name === 'members' ? EFFORT_OF_MEMBER : EFFORT_OF_VALUE);
  for (const value of values) {
    if (isRecord(value)) for (const key in value) if (typeof value[key] === 'string') effort += value[key].length;
  }
  return effort;
}
