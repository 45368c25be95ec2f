import type { Slices } from '../../platform/process/slices.ts';

/** In names of parameters whose values are shown to no one. */
const SECRET_NAME = /pass(?!through|ive|enger)|pwd|secret|psk|key|token|credential|community/iu;
/** A word of its own, also in camel case, as "mapping" has it too. */
const PIN = /(?<![A-Za-z])(?:pin|Pin|PIN)(?![a-z])|(?<=[a-z])(?:Pin|PIN)(?![a-z])/u;
/** What says that a name follows, as in `"name": "password"` or `<parameter>password</parameter>`. */
const NAMES =
  /(?<![\w.-])(?:name|key|id|parameter|param|path|field|option|setting|label)(?:["']?[ \t]?[:=>][ \t]?["']?|[ \t]+["'])/giu;
/** Characters of a name that are looked at. */
const MOST_OF_NAME = 64;
const END_OF_NAME = /["'<>,;{}]/u;
/** A line that gives the value of what is named on another one. */
const VALUE = /^[-\s]*(?:option[ \t]+)?["'<]?(?:value|val|content|data|text|string|default)["']?(?:[ \t]?[:=>]|[ \t]+["'])/iu;
const SECTION = /^\s*\[{1,2}[^[\]"',]+\]{1,2}\s*(?:[;#].*)?$/u;
/** Lines of one entry that may be apart: an entry of a list is short. */
const REACH = 20;
/** About a millisecond. */
const LINES_AT_ONCE = 100;

/** Where the first name of a secret begins, or -1. */
function placeOfName(line: string): number {
  const [name, pin] = [line.search(SECRET_NAME), line.search(PIN)];
  return name === -1 || pin === -1 ? Math.max(name, pin) : Math.min(name, pin);
}

/** Where the name of a secret stands as a value, as in `"name": "password"`, or -1. */
function placeOfNamed(line: string): number {
  NAMES.lastIndex = 0;
  for (let found = NAMES.exec(line); found !== null; found = NAMES.exec(line)) {
    const at = NAMES.lastIndex;
    const name = line.slice(at, at + MOST_OF_NAME);
    const end = name.search(END_OF_NAME);
    if (placeOfName(end === -1 ? name : name.slice(0, end)) !== -1) return found.index;
  }
  return -1;
}

/** Whether a line opens a section, and whether that holds secrets: the name of the section says so for all of its lines. */
export function sectionOf({ text, name }: Pick<ReadLine, 'text' | 'name'>): 'secret' | 'other' | undefined {
  if (!SECTION.test(text)) return undefined;
  return name === -1 ? 'other' : 'secret';
}

/** Columns before the first word; the dash of an entry of a YAML list is none. */
export function indentOf(line: string): number {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t' || (line[at] === '-' && line[at + 1] === ' ')) at++;
  return at;
}

/** A line, with where secrets begin in it. */
export interface ReadLine {
  readonly text: string;
  readonly indent: number;
  /** Where the first name of a secret begins, or -1. */
  readonly name: number;
  /** Where the secret begins: at that name, or, where the name itself is a value, at the beginning of its entry. Or -1. */
  readonly secret: number;
  /** The whole line is the value of a secret that another line of its entry names. */
  readonly isValue: boolean;
}

/** Read lines, each once. */
export async function readLines(text: string, slices: Slices): Promise<readonly ReadLine[]> {
  const lines = await mapInSlices(text.split('\n'), slices, (line) => {
    const [name, indent] = [placeOfName(line), indentOf(line)];
    const named = name === -1 ? -1 : placeOfNamed(line);
    const secret = named === -1 ? name : Math.min(name, line.lastIndexOf('{', named) + 1 || indent);
    return { text: line, indent, name, secret, isNamed: named !== -1, isBlank: line.trim() === '' };
  });
  const isApart = (at: number) => isNamedNear(lines, at, -1) || isNamedNear(lines, at, 1);
  return mapInSlices(lines, slices, (line, at) => ({ ...line, isValue: VALUE.test(line.text) && isApart(at) }));
}

/** As `map`; others get their turn meanwhile. */
export async function mapInSlices<From, To>(
  values: readonly From[],
  slices: Slices,
  work: (value: From, at: number) => To,
): Promise<To[]> {
  const results: To[] = [];
  for (const [at, value] of values.entries()) {
    results.push(work(value, at));
    // oxlint-disable-next-line no-await-in-loop -- one after another
    if (at % LINES_AT_ONCE === 0) await slices.pause();
  }
  return results;
}

interface NearLine extends Pick<ReadLine, 'indent'> {
  readonly isNamed: boolean;
  readonly isBlank: boolean;
}

/** Whether a line near this one names a secret, and all between belong to the entry of that line. */
function isNamedNear(lines: readonly NearLine[], at: number, step: 1 | -1): boolean {
  let least = lines[at]!.indent;
  for (let other = at + step; Math.abs(other - at) <= REACH; other += step) {
    const line = lines[other];
    if (line === undefined || line.isBlank) return false;
    if (line.isNamed && line.indent <= least) return true;
    least = Math.min(least, line.indent);
  }
  return false;
}
