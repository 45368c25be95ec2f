import { findPath, findSub } from './attribute-paths.ts';
import type { Attribute } from './attributes.ts';
import { badRequest, type ScimFailure, type ScimType } from './failure.ts';
import type { AttributePath, ResourceType } from './schemas.ts';
import { isStorable, type Filter, type Literal, operators } from './stored-values.ts';

/** Filters are bounded before they are read: each term is compared with each resource. */
const LONGEST = 8_000;
const MOST_TERMS = 100;
const DEEPEST = 10;

/** Where a PATCH changes a resource: an attribute, those values of a list that fit, or an attribute of these. */
export interface PatchPath extends AttributePath {
  readonly filter: Filter | undefined;
}

/** Read a filter. @throws ScimFailure `invalidFilter` */
export function readFilter(type: ResourceType, text: string): Filter {
  const reader = new Reader(type, text, 'invalidFilter');
  const filter = reader.readOr(0);
  reader.expectEnd();
  return filter;
}

/** Read the path of a PATCH. @throws ScimFailure `invalidPath` for one that does not exist, `invalidFilter` for the filter in it */
export function readPath(type: ResourceType, text: string): PatchPath {
  const reader = new Reader(type, text, 'invalidPath');
  const path = reader.readPatchPath();
  reader.expectEnd();
  return path;
}

/** Where texts are read: a name, a text in quotation marks, a bracket, or anything else up to a blank. */
class Reader {
  readonly #type: ResourceType;
  readonly #text: string;
  readonly #scimType: ScimType;
  #at = 0;
  #terms = 0;
  /** Names within brackets are those of a list's values. */
  #list: Attribute | undefined;

  constructor(type: ResourceType, text: string, scimType: ScimType) {
    this.#type = type;
    this.#text = text;
    this.#scimType = scimType;
    if (text.length > LONGEST) throw badRequest('invalidFilter', `A filter may have ${LONGEST} characters.`);
  }

  expectEnd(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  readOr(depth: number): Filter {
    return this.#readParts('or', () => this.#readParts('and', () => this.#readTerm(depth)));
  }

  readPatchPath(): PatchPath {
    const path = this.#readName();
    if (!this.#take('[')) return { ...path, filter: undefined };
    const filter = this.#readWithin(path, 0);
    // What follows the bracket is an attribute of the values.
    if (this.#text[this.#at] !== '.') return { ...path, filter };
    this.#at += 1;
    const name = this.#word();
    const sub = findSub(path.attribute, name);
    if (sub === undefined) throw badRequest('invalidPath', `There is no attribute ${shown(name)} in ${path.attribute.name}.`);
    return { ...path, sub, filter };
  }

  #readParts(kind: 'and' | 'or', read: () => Filter): Filter {
    const parts = [read()];
    while (this.#takeWord(kind)) parts.push(read());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  #readTerm(depth: number): Filter {
    if (depth > DEEPEST) throw badRequest('invalidFilter', `Brackets may be ${DEEPEST} deep.`);
    this.#terms += 1;
    if (this.#terms > MOST_TERMS) throw badRequest('invalidFilter', `A filter may have ${MOST_TERMS} terms.`);
    const isNot = this.#takeWord('not');
    if (this.#take('(')) {
      const part = this.readOr(depth + 1);
      this.#expect(')');
      return isNot ? { kind: 'not', part } : part;
    }
    if (isNot) throw this.#unexpected();
    const path = this.#readName();
    if (this.#list === undefined && this.#take('[')) return { kind: 'some', path, filter: this.#readWithin(path, depth) };
    return this.#readComparison(path);
  }

  /** The filter in brackets behind the name of a list. */
  #readWithin(path: AttributePath, depth: number): Filter {
    if (path.attribute.multiValued !== true || path.sub !== undefined || path.attribute.type !== 'complex')
      throw badRequest(this.#scimType, `${path.attribute.name} is no list whose values can be chosen.`);
    this.#list = path.attribute;
    const filter = this.readOr(depth + 1);
    this.#list = undefined;
    this.#expect(']');
    return filter;
  }

  #readComparison(path: AttributePath): Filter {
    const word = this.#word().toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const operator = operators.find((each) => each === word);
    if (operator === undefined) throw this.#unexpected();
    return { kind: 'compare', path, operator, literal: this.#readLiteral() };
  }

  #readLiteral(): Literal {
    this.#skipBlanks();
    const text = this.#text[this.#at] === '"' ? this.#quoted() : this.#word();
    try {
      const value: unknown = JSON.parse(/^(?:true|false|null)$/iu.test(text) ? text.toLowerCase() : text);
      const isStored = typeof value !== 'string' || isStorable(value);
      if (value === null || (isStored && ['string', 'number', 'boolean'].includes(typeof value))) return value as Literal;
    } catch {
      // Not a value of JSON.
    }
    throw this.#unexpected();
  }

  #readName(): AttributePath {
    const name = this.#word();
    if (name === '') throw this.#unexpected();
    const sub = this.#list === undefined ? undefined : findSub(this.#list, name);
    const path =
      this.#list === undefined
        ? findPath(this.#type, name)
        : sub === undefined
          ? undefined
          : { extension: undefined, attribute: sub, sub: undefined };
    if (path === undefined) throw badRequest(this.#scimType, `There is no attribute ${shown(name)}.`);
    return path;
  }

  #word(): string {
    this.#skipBlanks();
    const begin = this.#at;
    while (this.#at < this.#text.length && !' ()[]"'.includes(this.#text[this.#at]!)) this.#at += 1;
    return this.#text.slice(begin, this.#at);
  }

  #quoted(): string {
    const begin = this.#at;
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at += 1;
    return this.#text.slice(begin, this.#at);
  }

  #take(sign: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #takeWord(word: string): boolean {
    const before = this.#at;
    if (this.#word().toLowerCase() === word) return true;
    this.#at = before;
    return false;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#unexpected();
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  #unexpected(): ScimFailure {
    const rest = this.#text.slice(this.#at);
    return badRequest(this.#scimType, rest === '' ? 'Something is missing at the end.' : `Unexpected at ${shown(rest)}.`);
  }
}

/** Text of a request in an answer: its beginning, on one line. */
const shown = (text: string): string => JSON.stringify(text.slice(0, 60));
