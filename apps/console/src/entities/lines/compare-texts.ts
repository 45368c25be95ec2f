import { diffArrays } from 'diff';

/** A text of both lists, or of one. */
export interface ComparedText {
  readonly text: string;
  readonly change?: 'added' | 'removed';
}

/** Beyond so many changes among texts that nothing tells apart, comparing would stop the page. */
const MOST_EDITS = 1_000;

type Texts = readonly string[];
/** Places of what is the same in both. */
type Pair = readonly [before: number, after: number];

/** What a text is recognized by, first by all of it, then by the name before its value; undefined = by nothing. */
const keys: readonly ((text: string) => string | undefined)[] = [(text) => text, nameOf];

/**
 * Compare two lists of texts. Those that each has once are found by a map, so what remains for Myers' algorithm is what is between them: a
 * configuration of thousands of parameters takes time in proportion to its length.
 * @returns undefined when they differ too much
 */
export function compareTexts(before: Texts, after: Texts): ComparedText[] | undefined {
  const compared: ComparedText[] = [];
  let editsLeft = MOST_EDITS;
  const add = (texts: Texts, change?: ComparedText['change']) => {
    for (const text of texts) compared.push(change === undefined ? { text } : { text, change });
  };
  const addShortest = (left: Texts, right: Texts): boolean => {
    const parts = diffArrays([...left], [...right], { maxEditLength: editsLeft });
    for (const { value, added, removed } of parts ?? []) {
      if (added || removed) editsLeft -= value.length;
      add(value, added ? 'added' : removed ? 'removed' : undefined);
    }
    return parts !== undefined;
  };
  const addRange = (left: Texts, right: Texts, by: number): boolean => {
    if (left.length === 0 || right.length === 0) {
      add(left, 'removed');
      add(right, 'added');
      return true;
    }
    const keyOf = keys[by];
    if (keyOf === undefined) return addShortest(left, right);
    let [l, r] = [0, 0];
    for (const [nextL, nextR] of longestAscending(pairsOf(left, right, keyOf))) {
      if (!addRange(left.slice(l, nextL), right.slice(r, nextR), by + 1)) return false;
      const [was, is] = [left[nextL]!, right[nextR]!];
      if (was !== is) add([was], 'removed');
      add([is], was === is ? undefined : 'added');
      [l, r] = [nextL + 1, nextR + 1];
    }
    return addRange(left.slice(l), right.slice(r), by + 1);
  };
  return addRange(before, after, 0) ? compared : undefined;
}

/** What is before the first `=` or `:`; quotes and spaces are part of it. */
function nameOf(text: string): string | undefined {
  const at = text.search(/[=:]/u);
  return at < 1 ? undefined : text.slice(0, at);
}

/** What each of both has exactly once, in the order of the first. */
function pairsOf(left: Texts, right: Texts, keyOf: (text: string) => string | undefined): Pair[] {
  const places = placesOf(right, keyOf);
  return [...placesOf(left, keyOf)].flatMap(([key, place]): Pair[] => {
    const other = places.get(key);
    return place === MANY || other === undefined || other === MANY ? [] : [[place, other]];
  });
}

const MANY = -1;

function placesOf(texts: Texts, keyOf: (text: string) => string | undefined): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, text] of texts.entries()) {
    const key = keyOf(text);
    if (key !== undefined) places.set(key, places.has(key) ? MANY : at);
  }
  return places;
}

/** The most pairs whose order is the same in both; the rest has moved. */
function longestAscending(pairs: readonly Pair[]): Pair[] {
  // The last pair of the best sequence of each length, and the pair before each.
  const ends: number[] = [];
  const earlier: (number | undefined)[] = [];
  for (const [at, [, after]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < after) low = middle + 1;
      else high = middle;
    }
    earlier.push(low === 0 ? undefined : ends[low - 1]);
    ends[low] = at;
  }
  const found: Pair[] = [];
  for (let at = ends.at(-1); at !== undefined; at = earlier[at]) found.push(pairs[at]!);
  return found.toReversed();
}
