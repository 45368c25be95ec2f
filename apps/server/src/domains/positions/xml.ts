/** An element with its namespace; text is that of its own, without that of its children. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const MOST_DEPTH = 40;
const MOST_ELEMENTS = 1_000;
/** Of a document: each element that declares some has a copy of all that hold in it. */
const MOST_NAMESPACES = 64;

const NAME = /[A-Za-z_\u{80}-\u{10ffff}][\w.\-\u{80}-\u{10ffff}]*(?::[A-Za-z_\u{80}-\u{10ffff}][\w.\-\u{80}-\u{10ffff}]*)?/uy;
const SPACE = /[ \t\r\n]*/y;
/** What ends a text that is no element; the second is skipped, the third is text as it stands. */
const SECTIONS = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
] as const;

interface OpenElement {
  readonly tag: string;
  readonly namespaces: ReadonlyMap<string, string>;
  readonly element: { readonly children: XmlElement[]; text: string } & XmlElement;
}

/**
 * The root of a small document without a document type; undefined when it is not well-formed, or deeper or larger than a location is, or declares
 * more namespaces. Entities are left as they are. Written here since a library takes seven times as long, a tenth of what a minute of a router cost.
 */
export function parseXml(document: string): XmlElement | undefined {
  return new Scanner(document).read();
}

/** Reads a document once from its beginning to its end. */
class Scanner {
  readonly #document: string;
  readonly #open: OpenElement[] = [];
  #at = 0;
  #elements = 0;
  #namespaces = 0;
  #root: XmlElement | undefined;

  constructor(document: string) {
    this.#document = document;
  }

  read(): XmlElement | undefined {
    while (this.#at < this.#document.length) if (!this.#readText() || !this.#readMarkup()) return undefined;
    return this.#open.length === 0 ? this.#root : undefined;
  }

  /** Up to the next markup. Outside of the root there is only space. */
  #readText(): boolean {
    const next = this.#document.indexOf('<', this.#at);
    const text = this.#document.slice(this.#at, next < 0 ? undefined : next);
    this.#at += text.length;
    return this.#addText(text);
  }

  #addText(text: string): boolean {
    const inner = this.#open.at(-1);
    if (inner === undefined) return text.trim() === '';
    inner.element.text += text;
    return true;
  }

  #readMarkup(): boolean {
    const { length } = this.#document;
    if (this.#at === length) return true;
    const section = SECTIONS.find(([begin]) => this.#document.startsWith(begin, this.#at));
    if (section !== undefined) return this.#readSection(section[0], section[1]);
    return this.#document[this.#at + 1] === '/' ? this.#readEnd() : this.#readBegin();
  }

  #readSection(begin: string, end: string): boolean {
    const from = this.#at + begin.length;
    const until = this.#document.indexOf(end, from);
    if (until < 0) return false;
    this.#at = until + end.length;
    if (begin !== '<![CDATA[') return true;
    return this.#open.length > 0 && this.#addText(this.#document.slice(from, until));
  }

  #readEnd(): boolean {
    this.#at += 2;
    const tag = this.#take(NAME);
    this.#take(SPACE);
    return this.#takes('>') && tag !== '' && this.#open.pop()?.tag === tag;
  }

  #readBegin(): boolean {
    this.#at += 1;
    const tag = this.#take(NAME);
    const outer = this.#open.at(-1);
    // There is one root.
    if (tag === '' || (outer === undefined && this.#root !== undefined)) return false;
    if (++this.#elements > MOST_ELEMENTS || this.#open.length >= MOST_DEPTH) return false;
    const attributes = this.#readAttributes();
    if (attributes === undefined) return false;
    this.#namespaces += Array.from(attributes.keys()).filter(declaresNamespace).length;
    if (this.#namespaces > MOST_NAMESPACES) return false;
    const namespaces = namespacesIn(attributes, outer?.namespaces);
    const [prefix, name] = tag.includes(':') ? (tag.split(':', 2) as [string, string]) : ['', tag];
    const element = { namespace: namespaces.get(prefix) ?? '', name, attributes, text: '', children: [] };
    if (outer === undefined) this.#root = element;
    else outer.element.children.push(element);
    if (this.#takes('/>')) return true;
    this.#open.push({ tag, namespaces, element });
    return this.#takes('>');
  }

  /** Undefined where they are not well-formed. */
  #readAttributes(): Map<string, string> | undefined {
    const attributes = new Map<string, string>();
    while (this.#take(SPACE) !== '') {
      const name = this.#take(NAME);
      if (name === '') break;
      this.#take(SPACE);
      if (attributes.has(name) || !this.#takes('=')) return undefined;
      this.#take(SPACE);
      const value = this.#readQuoted();
      if (value === undefined) return undefined;
      attributes.set(name, value);
    }
    return attributes;
  }

  #readQuoted(): string | undefined {
    const quote = this.#document[this.#at];
    if (quote !== '"' && quote !== "'") return undefined;
    const end = this.#document.indexOf(quote, this.#at + 1);
    const value = this.#document.slice(this.#at + 1, end);
    if (end < 0 || value.includes('<')) return undefined;
    this.#at = end + 1;
    return value;
  }

  /** What the expression matches here; empty = nothing. */
  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#document)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #takes(text: string): boolean {
    if (!this.#document.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

const declaresNamespace = (name: string) => name === 'xmlns' || name.startsWith('xmlns:');

/** By prefix; '' = of names without one. */
function namespacesIn(
  attributes: ReadonlyMap<string, string>,
  outer: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  let own: Map<string, string> | undefined;
  for (const [name, value] of attributes) if (declaresNamespace(name)) (own ??= new Map(outer)).set(name.slice(6), value.trim());
  return own ?? outer;
}
